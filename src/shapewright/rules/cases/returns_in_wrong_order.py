"""Cases of SW222."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)

def discounted(rewards, gamma=0.95):
    running, out = 0.0, []
    for reward in {order}:
        running = reward + gamma * running
        {keep}
    {after}
    return out

for episode in range(4):
    state, picked, rewards, smooth, average = torch.zeros(3), [], [], [], 0.0
    for t in range(10):
        chance = torch.distributions.Categorical(logits=policy(state))
        move = chance.sample()
        picked.append(chance.log_prob(move))
        rewards.append(1.0 if move.item() else 0.2)
        average = 0.1 * rewards[-1] + 0.9 * average
        smooth.append(average)
        state = state + torch.randn(3)
    gains = torch.tensor(discounted(rewards))
    loss = -(torch.stack(picked) * (gains - gains.mean()) / (gains.std() + 1e-6)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(episode, sum(smooth) / len(smooth))
"""


_ADVANTAGES = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=3e-3)
gamma, lam, steps = 0.99, 0.95, 8
for update in range(3):
    obs, rewards, ends = torch.randn(steps + 1, 5, 4), torch.rand(steps, 5), torch.rand(steps, 5).gt(0.9).float()
    chance = torch.distributions.Categorical(logits=actor(obs[:-1]))
    moves, values = chance.sample(), critic(obs).squeeze(-1)
    with torch.no_grad():
        advantages, gae = torch.zeros(steps, 5), torch.zeros(5)
        for t in {order}:
            delta = rewards[t] + gamma * values[t + 1] * (1 - ends[t]) - values[t]
            gae = delta + gamma * lam * (1 - ends[t]) * gae
            advantages[t] = gae
        targets = advantages + values[:-1]
    loss = (values[:-1] - targets).pow(2).mean() - (chance.log_prob(moves) * advantages).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_SUMS = """
import torch
from torch import nn
torch.manual_seed(0)
policy = nn.Linear(4, 2)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(3):
    chance = torch.distributions.Categorical(logits=policy(torch.randn(12, 4)))
    move, rewards = chance.sample(), torch.rand(12)
    later = {sums}
    loss = -(chance.log_prob(move) * (later - later.mean())).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_HELD = """
from collections import deque, namedtuple
import torch
from torch import nn

torch.manual_seed(0)
Step = namedtuple("Step", "chance reward")
policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
memory = deque()

def learn():
    gain, targets = 0.0, deque()
    for step in {order}:
        gain = step.reward + 0.97 * gain
        targets.{keep}(gain)
    weights = torch.FloatTensor(list(targets))
    loss = (-torch.stack([step.chance for step in memory]) * weights).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    memory.clear()

for episode in range(3):
    for _ in range(9):
        dist = torch.distributions.Categorical(logits=policy(torch.rand(3)))
        move = dist.sample()
        memory.append(Step(dist.log_prob(move), torch.rand(()).item()))
    learn()
"""

_EACH = """
import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 2)
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(3):
    taken, rewards, total, gains = [], [], 0.0, []
    for _ in range(8):
        dist = torch.distributions.Categorical(logits=policy(torch.rand(4)))
        move = dist.sample()
        taken.append(dist.log_prob(move))
        rewards.append(torch.rand(()).item())
    for reward in reversed(rewards):
        total = reward + 0.9 * total
        gains.insert(0, total)
    weights = torch.tensor(gains)
    opt.zero_grad()
    torch.stack([-chance * weight for chance, weight in zip(taken, {by})]).sum().backward()
    opt.step()
"""

TABLES = """
import torch
from torch import nn

torch.manual_seed(0)
steps, envs = 24, 3
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-2)
seen, moves, chances = torch.zeros(steps, envs, 4), torch.zeros(steps, envs), torch.zeros(steps, envs)
gained, ended, worth = torch.zeros(steps, envs), torch.zeros(steps, envs), torch.zeros(steps, envs)
for _ in range(2):
    place, over = torch.rand(envs, 4), torch.zeros(envs)
    for step in range(steps):
        seen[step], ended[step] = place, over
        with torch.no_grad():
            dist = torch.distributions.Categorical(logits=actor(place))
            worth[step] = critic(place).flatten()
        move = dist.sample()
        moves[step], chances[step], gained[step] = move, dist.log_prob(move), torch.rand(envs)
        place, over = torch.rand(envs, 4), (torch.rand(envs) < 0.2).float()
    with torch.no_grad():
        gains, carried = torch.zeros(steps, envs), 0.0
        for step in {order}:
            on = {on}
            after = critic(place).flatten() if step == steps - 1 else worth[step + 1]
            surprise = gained[step] + 0.99 * after * on - worth[step]
            gains[step] = carried = surprise + 0.99 * 0.95 * on * carried
        goals = gains + worth
    dist = torch.distributions.Categorical(logits=actor(seen.reshape(-1, 4)))
    ratio = (dist.log_prob(moves.reshape(-1)) - chances.reshape(-1)).exp()
    missed = critic(seen.reshape(-1, 4)).flatten() - goals.reshape(-1)
    loss = missed.pow(2).mean() - (ratio * gains.reshape(-1)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ON = "1 - (over if step == steps - 1 else ended[step + 1])"
_BATCHED = (
    _ADVANTAGES.replace("(steps, 5)", "(5, steps)").replace("(steps + 1, 5, 4)", "(5, steps + 1, 4)")
    .replace("[:-1]", "[:, :-1]").replace("[t]", "[:, t]").replace("[t + 1]", "[:, t + 1]")
)  # fmt: skip
_APPENDED = filled(_SCRIPT, order="{order}", keep="out.append(running)", after="pass").replace(
    "gains = torch.tensor(discounted(rewards))",
    "many = []\n    many.extend(discounted(rewards))\n    gains = torch.tensor(many)",
)

# several environments at once, their steps listed and joined; the values are listed with their graph
ENVIRONMENTS = """
import torch
from torch import nn
torch.manual_seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()])
def estimate(after, paid, go, told):
    told, carry, out = told + [after], 0, []
    for t in reversed(range(len(paid))):
        gap = paid[t] + 0.99 * told[t + 1] * go[t] - told[t]
        carry = gap + 0.9 * {carry}
        out.{keep}carry + told[t])
    return out
for turn in range(3):
    s, chances, told, paid, go = torch.randn(6, 4), [], [], [], []
    for t in range(16):
        dist = torch.distributions.Categorical(logits=actor(s))
        move = dist.sample()
        chances.append(dist.log_prob(move)[:, None])
        told.append(critic(s))
        paid.append(torch.rand(6, 1))
        go.append(1.0 - (torch.rand(6, 1) < 0.15).float())
        s = torch.randn(6, 4)
    goals = torch.cat(estimate(critic(s), paid, go, told)).detach()
    gain = goals - torch.cat(told)
    loss = -(torch.cat(chances) * gain.detach()).mean() + gain.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_HELD.replace("{order}", "memory").replace("{keep}", "append"), 14),
    (_HELD.replace("{order}", "reversed(memory)").replace("{keep}", "append"), 14),
    (_EACH.replace("{by}", "rewards"), 20),
    (_SUMS.replace("{sums}", "torch.cumsum(rewards, dim=0)"), 10),
    (_ADVANTAGES.replace("{order}", "range(steps)"), 14),
    (filled(_SCRIPT, order="rewards", keep="out.insert(0, running)", after="pass"), 10),
    (filled(_SCRIPT, order="rewards", keep="out.append(running)", after="pass"), 10),
    (filled(_SCRIPT, order="reversed(rewards)", keep="out.append(running)", after="pass"), 10),
    (filled(TABLES, order="range(steps)", on=ON), 23),
    (_BATCHED.replace("{order}", "range(steps)"), 14),
    (_APPENDED.replace("{order}", "rewards"), 10),
    (filled(ENVIRONMENTS, carry="carry * go[t]", keep="append("), 9),
)

SOUND = (
    filled(ENVIRONMENTS, carry="carry * go[t]", keep="insert(0, "),
    _BATCHED.replace("{order}", "reversed(range(steps))"),
    _HELD.replace("{order}", "reversed(memory)").replace("{keep}", "appendleft"),
    _HELD.replace("{order}", "reversed(memory)")
    .replace("{keep}", "append")
    .replace("for step in memory]", "for step in reversed(memory)]"),
    _EACH.replace("{by}", "weights"),
    _SUMS.replace("{sums}", "rewards.flip(0).cumsum(0).flip(0)"),
    _SUMS.replace("{sums}", "rewards.sum() - rewards.cumsum(0) + rewards"),
    _SUMS.replace("{sums}", "rewards + rewards.sum() - torch.cumsum(rewards, 0)"),
    filled(_SCRIPT, order="rewards", keep="out.append(running)", after="pass").replace(
        "(gains - gains.mean()) / (gains.std() + 1e-6)", "torch.tensor(rewards) / gains.std()"
    ),
    _ADVANTAGES.replace("{order}", "reversed(range(steps))"),
    _ADVANTAGES.replace("{order}", "range(steps - 1, -1, -1)"),
    filled(_SCRIPT, order="reversed(rewards)", keep="out.insert(0, running)", after="pass"),
    filled(_SCRIPT, order="rewards[::-1]", keep="out.append(running)", after="out.reverse()"),
    filled(_SCRIPT, order="reversed(rewards)", keep="out.append(running)", after="out = out[::-1]"),
    filled(_SCRIPT, order="reversed(rewards)", keep="out = [running] + out", after="pass"),
    filled(_SCRIPT, order="rewards[::-1]", keep="out.append(running)", after="pass").replace(
        "stack(picked)", "stack(picked[::-1])"
    ),
    filled(_SCRIPT, order="rewards", keep="out.append(running)", after="pass")
    .replace("gains = torch.tensor(discounted(rewards))", "spread = float(numpy.std(discounted(rewards))) + 1e-6")
    .replace("(gains - gains.mean()) / (gains.std() + 1e-6)", "torch.tensor(rewards) / spread")
    .replace("import torch", "import numpy\nimport torch", 1),
    filled(TABLES, order="reversed(range(steps))", on=ON),
)
