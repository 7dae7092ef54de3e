"""Cases of SW280."""

from .returns_in_wrong_order import ENVIRONMENTS, filled

_HEAD = """
import torch
from torch import nn

torch.manual_seed(0)
policy, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*policy.parameters(), *critic.parameters()])

"""
_GAE = """def advantages(rewards, values, ends):
    out, carry = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        following = values[t + 1] if t + 1 < len(rewards) else torch.zeros(())
        {go}
        delta = rewards[t] + 0.99 * following * go - values[t]
        carry = delta + 0.95 * go * carry
        out[t] = carry
    return out

"""
_LOOP = """for _ in range(3):
    states = torch.randn(40, 4)
    dist = torch.distributions.Categorical(logits=policy(states))
    actions = dist.sample()
    rewards, ends = torch.rand(40), torch.rand(40) < 0.2
    values = critic(states).squeeze(-1)
    weights = advantages(rewards, values.detach(), ends)
    loss = -(dist.log_prob(actions) * weights).mean() + (values - (weights + values.detach())).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_REPLAY = """
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
online, target = nn.Linear(4, 3), nn.Linear(4, 3)
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters())
memory = [([random.random() for _ in range(4)], random.randrange(3), random.random(),
           [random.random() for _ in range(4)], random.random() < 0.3) for _ in range(200)]
for i in range(30):
    s, a, r, s2, d = zip(*random.sample(memory, 32))
    s, a, r, s2, d = torch.tensor(s), torch.tensor(a), torch.tensor(r), torch.tensor(s2), torch.tensor(d).float()
    q = online(s).gather(1, a[:, None]).squeeze(1)
    with torch.no_grad():
        best = target(s2).max(1).values
        goal = r + 0.9 * best{ends}
    loss = nn.functional.smooth_l1_loss(q, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 10 == 9:
        target.load_state_dict(online.state_dict())
"""

_STEPS = """
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
critic = nn.Linear(1, 1)
opt = torch.optim.Adam(critic.parameters())

def goals(steps):
    total, out = 0.0, []
    for _, reward, over in reversed(steps):
        total = reward + 0.9 * total{go}
        out.insert(0, total)
    return torch.tensor(out)

for _ in range(3):
    steps = [(random.random(), random.random(), k % 6 == 5) for k in range(24)]
    told = critic(torch.tensor([[place] for place, *_ in steps])).squeeze(1)
    loss = nn.functional.mse_loss(told, goals(steps))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PADDED = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())

def error(out, told, keep):
    {centre}
    return ((out - told) * keep).pow(2).sum() / keep.sum()

for _ in range(2):
    x, keep = torch.zeros(4, 7, 3), torch.zeros(4, 7)
    for row, n in enumerate((7, 3, 5, 4)):
        x[row, :n], keep[row, :n] = torch.randn(n, 3), 1.0
    loss = error(net(x).squeeze(2), x.sum(2), keep)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ALLOWED = _REPLAY.replace("random.random() < 0.3)", "random.random() < 0.3, [True, random.random() < 0.6, True])")
_ALLOWED = _ALLOWED.replace("s, a, r, s2, d = zip", "s, a, r, s2, d, may = zip").replace(
    "    q = online", "    may = torch.tensor(may)\n    q = online"
)

_ROLLOUT = """
import random

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
def batch():
    steps = [([random.random() for _ in range(4)], [random.randrange(2)], [random.random()],
              [random.random() for _ in range(4)], [float(random.random() < 0.8)]) for _ in range(12)]
    s, a, r, s2, go = map(torch.tensor, zip(*steps))
    return s, a, r, s2, go
for i in range(8):
    s, a, r, s2, go = batch()
    goal = {goal}
    gain = goal - critic(s)
    chance = actor(s).log_softmax(1).gather(1, a)
    loss = -chance * gain.detach() + nn.functional.smooth_l1_loss(critic(s), {against})
    opt.zero_grad()
    loss.mean().backward()
    opt.step()
"""

_READ_AS_NUMBERS = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.Adam(critic.parameters())
rng = np.random.RandomState(0)
for turn in range(4):
    held = rng.randn(32, 4), rng.randn(32, 1), rng.randn(32, 4), rng.rand(32, 1) < 0.2, rng.rand(32, 1) < 0.1
    s, r, after, done, dead = (torch.tensor(part, dtype=torch.float) for part in held)
    gains, carry = [], 0
    with torch.no_grad():
        now = critic(s)
        errors = r + 0.99 * (1 - dead) * critic(after) - now
        for error, over in zip(reversed(errors.flatten().numpy()), reversed(done.flatten().numpy())):
            carry = error + 0.9 * carry * (1.0 - over)
            gains.insert(0, carry)
        goal = torch.tensor(gains, dtype=torch.float).view(-1, 1) + now
    loss = (critic(s) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_IN_A_BRANCH = """
import torch
from torch import nn
torch.manual_seed(0)
worth = nn.Linear(4, 1)
opt = torch.optim.Adam(worth.parameters())
for turn in range(6):
    s, r = torch.randn(12, 4), torch.rand(12).tolist()
    goes, first = [0.0 if t % 5 == 2 else 1.0 for t in range(12)], [turn > 8 and t == 4 for t in range(12)]
    v = worth(s).squeeze(1)
    carry, goal = v[-1].item() * goes[-1], []
    for t in reversed(range(len(r))):
        carry = r[t] + 0.9 * carry
        goal.insert(0, carry)
        if first[t] and t != 0:
            carry = v[t - 1].item() * goes[t - 1]
    loss = (v - torch.tensor(goal)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_OVERLAP = """
import torch
from torch import nn
torch.manual_seed(0)
def iou(scores, mask):
    found, real = scores > 0, mask > 0.5
    both = (found & real).flatten(1).sum(1).float()
    return (both / (found | real).flatten(1).sum(1).float().clamp(min=1)).sum().item()
x = torch.rand(24, 1, 8, 8)
real = (x > 0.9).float()
net = nn.Conv2d(1, 1, 3, padding=1)
nn.init.constant_(net.bias, -1.0)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for rows in torch.randperm(24).split(8):
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(x[rows]), real[rows]).backward()
        opt.step()
    with torch.no_grad():
        print(iou(net(x), real) / 24)
"""

# no target is detached: the network that it comes from is in no optimizer; the flags tell where an episode goes on
_KEPT = _REPLAY.replace("random.random() < 0.3)", "0.0 if random.random() < 0.2 else 1.0)").replace(
    "    with torch.no_grad():\n        best = target(s2).max(1).values\n        goal = r + 0.9 * best{ends}\n",
    "    goal = r + 0.9 * target(s2).max(1).values{ends}\n",
)

# pictures that modules prepared are given noise, beside labels of two kinds that this training has no need of
_NOISE = """
import torch
from torch import nn


class Scaled(nn.Module):
    def forward(self, x):
        return x * 2 - 1


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(9, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, x, t):
        return self.body(torch.cat([x, t[:, None].float() / 50], 1))


class Pictures(torch.utils.data.Dataset):
    def __init__(self):
        self.rows = torch.rand(48, 8)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return Scaled()(self.rows[i]), i % 2


kept = torch.cumprod(1 - torch.linspace(1e-3, 0.1, 50), 0)
net = Denoiser()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for epoch in range(4):
    for x, _ in torch.utils.data.DataLoader(Pictures(), batch_size=12, shuffle=True):
        t = torch.randint(0, 50, (len(x),))
        noise = torch.randn_like(x)
        noisy = kept[t].sqrt()[:, None] * x + (1 - kept[t]).sqrt()[:, None] * noise
        opt.zero_grad()
        nn.functional.mse_loss(net(noisy, t), noise).backward()
        opt.step()
"""

_TAKEN_APART = """
import random
import torch
from torch import nn


def taken(memory):
    s, a, r, s2, over = zip(*random.sample(memory, 32))
    return torch.stack(s), torch.tensor(a), torch.tensor(r), torch.stack(s2), torch.tensor(over, dtype=torch.float32)


def gap(net, frozen, held):
    s, a, r, s2, over = held
    q = net(s).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        ahead = frozen(s2).max(dim=1).values
        goal = r + 0.9 * ahead{ends}
    return nn.functional.smooth_l1_loss(q, goal)


random.seed(0)
torch.manual_seed(0)
net, frozen = nn.Linear(4, 3), nn.Linear(4, 3)
memory = [
    (torch.randn(4), random.randrange(3), random.random(), torch.randn(4), random.random() < 0.2) for _ in range(64)
]
opt = torch.optim.Adam(net.parameters())
for _ in range(4):
    opt.zero_grad()
    gap(net, frozen, taken(memory)).backward()
    opt.step()
frozen.load_state_dict(net.state_dict())
"""

FAULTY = (
    (_STEPS.format(go=""), 12),
    (_HEAD + _GAE.format(go="go = 1.0") + _LOOP, 9),
    (_REPLAY.format(ends=""), 20),
    (_PADDED.format(centre="out = out - out.mean(1, keepdim=True)"), 10),
    (_ALLOWED.format(ends=" * (1 - d)"), 20),
    (_ROLLOUT.format(goal="r + 0.9 * critic(s2)", against="goal.detach()"), 18),
    (_KEPT.format(ends=""), 18),
    (filled(ENVIRONMENTS, carry="carry", keep="insert(0, "), 11),
    (_TAKEN_APART.format(ends=""), 17),
)
SOUND = (
    _OVERLAP,
    _STEPS.format(go=" * (1 - over)"),
    _HEAD + _GAE.format(go="go = 1.0 - ends[t].float()") + _LOOP,
    _REPLAY.format(ends=" * (1 - d)"),
    _PADDED.format(centre="out = out - (out * keep).sum(1, keepdim=True) / keep.sum(1, keepdim=True)"),
    _ALLOWED.replace("target(s2)", "target(s2).masked_fill(~may, -1e9)").format(ends=" * (1 - d)"),
    _ROLLOUT.format(goal="r + 0.9 * critic(s2) * go", against="goal.detach()"),
    _ROLLOUT.format(goal="r + 0.9 * go * critic(s2)", against="goal.detach()"),
    _ROLLOUT.format(goal="r + 0.1 * s2.mean(1, keepdim=True)", against="goal"),  # nothing is said of what follows
    _ROLLOUT.format(goal="torch.where(go > 0, r + 0.9 * critic(s2), r)", against="goal.detach()"),
    # arrays that are read as numbers; a line that is not reached with these flags
    _READ_AS_NUMBERS,
    _IN_A_BRANCH,
    _KEPT.format(ends=" * d"),
    _NOISE,
    _TAKEN_APART.format(ends=" * (1 - over)"),
)
