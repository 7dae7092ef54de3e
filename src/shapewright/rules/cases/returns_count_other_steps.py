"""Cases of SW355."""

from . import filled

PLAYER = """\
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
T = 48
net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


{function}

for update in range(3):
    states = torch.randn(T, 3)
    with torch.no_grad():
        out = net(states)
    dist = torch.distributions.Categorical(logits=out[:, :2])
    actions, values = dist.sample(), out[:, 2]
    rewards = torch.randn(T)
    ends = torch.zeros(T)
    ends[11::12] = 1
    adv = {call}
    logits = net(states)
    taken = torch.distributions.Categorical(logits=logits[:, :2]).log_prob(actions)
    loss = -(taken * adv).mean() + 0.5 * (logits[:, 2] - rewards).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

LISTED = """\
def estimate(r, v, d, last, g=0.97, lam=0.9):
    out, running = [0.0] * len(r), 0.0
    for t in reversed(range(len(r))):
        after = last if t == len(r) - 1 else v[t + 1]
        delta = r[t] + g * after * (1 - d[t]) - v[t]
        running = delta + g * lam * (1 - d[t]) * running
        out[t] = running
    return torch.tensor(out)
"""
CAPPED = """\
def estimate(r, v, ahead, over, done, g=0.97, lam=0.99):
    out, running = torch.zeros(len(r)), 0.0
    for t in reversed(range(len(r))):
        running = r[t] + g * ahead[t] * (1 - done[t]) - v[t] + g * lam * (1 - over[t]) * running
        out[t] = running
    return out
"""
CAPPED_CALL = "estimate(rewards, values, torch.randn(T), ends, ends * (torch.arange(T) < 24))"
CALL = "estimate(rewards.tolist(), values.tolist(), ends.tolist(), 0.3)"

ARRAYS = """\
def estimate(r, v, going, g=0.97, lam=0.9):
    out = np.zeros_like(r)
    carry = np.float32(0)
    for t in range(len(r) - 1, -1, -1):
        step = r[t] + g * v[t + 1] * going[t] - v[t]
        carry = step + g * lam * going[t] * carry
        out[t] = carry
    return torch.from_numpy(out)
"""
ARRAYS_CALL = "estimate(rewards.numpy(), np.append(values.numpy(), np.float32(0.3)), 1 - ends.numpy())"

COLUMNS = """\
def estimate(r, v, first, g=0.97, lam=0.9):
    steps = r.shape[0]
    out = torch.zeros_like(r)
    carry = torch.zeros(r.shape[1])
    for t in reversed(range(steps - 1)):
        go = 1.0 - first[t + 1]
        carry = r[t] + g * v[t + 1] * go - v[t] + g * lam * go * carry
        out[t] = carry
    return out
"""
COLUMNS_CALL = "estimate(rewards.view(24, 2), values.view(24, 2), ends.view(24, 2).roll(1, 0)).reshape(-1)"

REWARDED = """\
def estimate(r, v, d, last, g=0.97):
    out, running = [], last
    for reward, value, done in zip(reversed(r), reversed(v), reversed(d)):
        running = reward + g * running * (1 - done)
        out.insert(0, running - value)
    return torch.tensor(out)
"""

NORMALIZED = LISTED.replace(
    "    return torch.tensor(out)\n", "    out = torch.tensor(out)\n    return (out - out.mean()) / out.std()\n"
)

SUFFIXES = """\
def estimate(r, v, counts, last):
    rest = (torch.tensor(r) * torch.tensor(counts)).flip(0).cumsum(0).flip(0)
    return rest - torch.tensor(v)
"""


def _script(function: str, call: str = CALL) -> str:
    return PLAYER.format(function=function, call=call)


INLINE = """\
import torch
from torch import nn

torch.manual_seed(0)
T, N = 32, 3
net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)


class Memory:
    pass


held = Memory()
done = torch.zeros(N)
for update in range(4):
    states = torch.randn(T, N, 4)
    with torch.no_grad():
        out = net(states)
        final = net(torch.randn(N, 4))[:, 2]
    dist = torch.distributions.Categorical(logits=out[..., :2])
    actions, held.values = dist.sample(), out[..., 2]
    held.rewards, held.begins = torch.randn(T, N), torch.zeros(T, N)
    for t in range(T):
        {kept}
        done = (torch.rand(N) < 0.25).float()
        {stored}
    adv, carry = torch.zeros(T, N), torch.zeros(N)
    for t in reversed(range(T)):
        if t == T - 1:
            go, after = 1 - {closing}, final
        else:
            go, after = 1 - {flag}, held.values[t + 1]
        step = held.rewards[t] + 0.97 * after * {gate} - held.values[t]
        adv[t] = carry = step + 0.9 * go * carry
    logits = net(states)
    taken = torch.distributions.Categorical(logits=logits[..., :2]).log_prob(actions)
    loss = -(taken * adv).mean() + 0.5 * (logits[..., 2] - (adv + held.values)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
FIRSTS = {
    "kept": "held.begins[t] = done",
    "stored": "pass",
    "closing": "done",
    "flag": "held.begins[t + 1]",
    "gate": "go",
}
LASTS = FIRSTS | {"kept": "pass", "stored": "held.begins[t] = done", "flag": "held.begins[t]"}

GOALS = """
import random
import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)
online, target = nn.Linear(4, 3), nn.Linear(4, 3)
target.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters())
s, s2, r = torch.randn(200, 4), torch.randn(200, 4), torch.randn(200, 1)
a, d, real = torch.randint(3, (200, 1)), (torch.rand(200, 1) < 0.3), (torch.rand(200, 1) < 0.8).float()

def aims(at, going):
    best = target(s2[at]).max(1, keepdim=True).values
    return {goal}

for i in range(20):
    at = torch.randint(200, (32,))
    with torch.no_grad():
        goal = aims(at, 1 - d[at].float())
    loss = (online(s[at]).gather(1, a[at]) - goal).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 10 == 9:
        target.load_state_dict(online.state_dict())
"""


def _counted(function):
    """Rewards of zeros and ones, and several players whose episodes end often."""
    whole = _script(function, COLUMNS_CALL).replace("ends[11::12]", "ends[5::7]").replace("view(24, 2)", "view(12, 4)")
    return whole.replace("torch.randn(T)", "(torch.rand(T) < 0.5).float()")


FOLLOWED = """\
def estimate(r, v, d, after, g=0.97, lam=0.95):
    out, carry = torch.zeros_like(r), 0.0
    for t in reversed(range(len(r))):
        carry = r[t] + g * after * (1 - d[t]) - v[t] + g * lam * carry
        out[t], after = carry, v[t]
    return out
"""


def _many(function):
    """Several players, few of whose episodes end, so that what comes after an end is much."""
    rows = ", ".join(f"{name}.view(32, 16)" for name in ("rewards", "values", "ends"))
    whole = _script(function, f"estimate({rows}, torch.randn(16)).flatten()").replace("T = 48", "T = 512")
    return whole.replace("ends[11::12]", "ends[[237, 250, 306]]")


_REMEMBERED = """
import torch
from torch import nn

torch.manual_seed(0)
seen, paid, ended = torch.randn(33, 1, 4), torch.rand(32, 1, 1), (torch.arange(32) % 8 == 7).float()[:, None, None]


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.memory, self.head = nn.Linear(4, 12), nn.LSTM(12, 8), nn.Linear(8, 1)

    def worth(self, states, begun):
        told, _ = self.memory(self.body(states).relu(), begun)
        return self.head(told)


critic = Critic()
opt = torch.optim.Adam(critic.parameters())
for turn in range(4):
    first = (torch.zeros(1, 1, 8), torch.zeros(1, 1, 8))
    second = (torch.rand(1, 1, 8), torch.rand(1, 1, 8))
    later = critic.worth({next}, second)
    goal = paid + 0.9 * later * (1 - ended)
    loss = (critic.worth(seen[:-1], first) - goal.detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ACTING = """
import copy
import torch
from torch import nn

torch.manual_seed(0)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, at, does):
        return self.layers(torch.cat([at, does], 1))


class World(nn.Linear):
    def forward(self, at, does):
        return super().forward(torch.cat([at, does], 1))


pilot, critic = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), Critic()
old_pilot, old_critic = copy.deepcopy(pilot), copy.deepcopy(critic)
world, map_of = nn.Linear(6, 4), nn.Linear(4, 2)
one = torch.optim.Adam(critic.parameters(), lr=1e-3)
two = torch.optim.Adam(pilot.parameters(), lr=1e-3)
s, s2, a, r = torch.randn(300, 4), torch.randn(300, 4), torch.randn(300, 2), torch.rand(300, 1)
aim = torch.randn(300, 4)
for i in range(6):
    at = torch.randint(300, (32,))
    here, then, did = s[at], s2[at], a[at]
    with torch.no_grad():
        goal = r[at] + 0.97 * {ahead}
    loss = nn.functional.mse_loss(critic({here}), goal)
    one.zero_grad()
    loss.backward()
    one.step()
    loss = -critic(here, pilot(here)).mean()
    two.zero_grad()
    loss.backward()
    two.step()
    with torch.no_grad():
        for slow, fast in ((old_critic, critic), (old_pilot, pilot)):
            for p, q in zip(slow.parameters(), fast.parameters()):
                p.lerp_(q, 0.01)
"""
_NEXT = "old_critic(then, old_pilot(then))"
_METHODS = """
import torch
from torch import nn

torch.manual_seed(0)
s, s2, r, a = torch.randn(160, 4), torch.randn(160, 4), torch.rand(160, 1), torch.randint(2, (160, 1))


class Player(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.score, self.worth = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 1)
        self.opt = torch.optim.Adam(self.parameters(), lr=1e-3)

    def value(self, at):
        return self.worth(torch.relu(self.body(at)))

    def judged(self):
        for part in torch.arange(160).chunk(10):
            with torch.no_grad():
                goal = r[part] + 0.9 * self.value({next}[part])
                gain = goal - self.value(s[part])
            yield part, goal, gain

    def learn(self):
        for part, goal, gain in list(self.judged()):
            chance = torch.log_softmax(self.score(torch.relu(self.body(s[part]))), 1).gather(1, a[part])
            loss = -(chance * gain).mean() + nn.functional.smooth_l1_loss(self.value(s[part]), goal)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()


player = Player()
for turn in range(2):
    player.learn()
"""
_WORTH = """
import torch
from torch import nn

torch.manual_seed(0)
rates, worth = nn.Linear(6, 1), nn.Linear(4, 1)
opt = torch.optim.Adam([*rates.parameters(), *worth.parameters()], lr=1e-3)
for step in range(4):
    s, a, s2, r = torch.randn(16, 4), torch.randn(16, 2), torch.randn(16, 4), torch.rand(16, 1)
    with torch.no_grad():
        ahead = worth({next})
    did = torch.cat([s, a], dim=1)
    loss = (rates(did) - (r + 0.97 * ahead)).pow(2).mean() + (worth(s) - rates(did).detach()).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_DOUBLE = "r[at] + 0.9 * going * target(s2[at]).gather(1, online({next}[at]).argmax(1, keepdim=True))"
FAULTY = (
    (_script(LISTED.replace("after * (1 - d[t])", "after")), 14),
    (_script(LISTED.replace("lam * (1 - d[t]) * running", "lam * running")), 14),
    (_script(LISTED.replace("in reversed(range(len(r)))", "in range(len(r))")), 14),
    (_script(LISTED.replace("else v[t + 1]", "else v[t]")), 14),
    (_script(ARRAYS.replace("v[t + 1] * going[t]", "v[t + 1]"), ARRAYS_CALL), 15),
    (_script(COLUMNS.replace("lam * go * carry", "lam * carry"), COLUMNS_CALL), 17),
    (INLINE.format(**FIRSTS | {"gate": "1"}), 34),
    (INLINE.format(**FIRSTS | {"flag": "held.begins[t]"}), 33),
    (GOALS.format(goal="(r[at] + 0.9 * best) * going"), 16),
    (GOALS.format(goal="torch.where(d[at], 0.0, r[at] + 0.9 * best)"), 16),
    (GOALS.format(goal="(r[at] + best * 0.9).masked_fill(d[at], 0)"), 16),
    (_counted(COLUMNS.replace("reversed(range(steps - 1))", "range(steps - 1)")), 17),
    (_counted(COLUMNS.replace("v[t + 1] * go", "v[t + 1]")), 17),
    (GOALS.format(goal="r[at] + 0.9 * best * going").replace("target(s2[at])", "target(s[at])"), 15),
    (GOALS.format(goal=_DOUBLE).replace("{next}", "s"), 16),
    (_REMEMBERED.replace("{next}", "seen[:-1]"), 24),
    (filled(_ACTING, ahead="old_critic(then, old_pilot(here))", here="here, did"), 34),
    (filled(_ACTING, ahead="old_critic(here, old_pilot(then))", here="here, did"), 34),
    (filled(_ACTING, ahead="old_critic(then, (old_pilot(here) + 0.1).clamp(-1, 1))", here="here, did"), 34),
    (_METHODS.replace("{next}", "s"), 21),
    (_WORTH.replace("{next}", "s"), 11),
    (_many(FOLLOWED), 14),
    (_script(REWARDED.replace("reversed(d)", "d")), 14),
)
SOUND = (
    *map(_script, (LISTED, REWARDED, NORMALIZED, SUFFIXES)),
    _WORTH.replace("{next}", "s2"),
    GOALS.format(goal="r[at] + 0.9 * best * going"),
    GOALS.format(goal="going * (r[at] + 0.9 * best) + (1 - going) * r[at]"),
    GOALS.format(goal="torch.where(d[at], r[at], r[at] + 0.9 * best)"),
    GOALS.format(goal="(r[at] + 0.9 * best * going) * real[at]"),  # padded steps are left out
    GOALS.format(goal="((r[at] * going) + 0.9 * best) * going"),  # no reward at the end
    INLINE.format(**FIRSTS),
    INLINE.format(**LASTS),
    INLINE.format(**LASTS | {"closing": "held.begins[t]"}),
    _script(ARRAYS, ARRAYS_CALL),
    _script(COLUMNS, COLUMNS_CALL),
    _counted(COLUMNS),
    _script(REWARDED.replace("reversed(d)", "d")).replace("ends[11::12]", "ends[[11, 36]]"),  # the same both ways
    _script(CAPPED, CAPPED_CALL),  # an episode that only ran out of time is worth what follows
    _many(FOLLOWED.replace("lam * carry", "lam * (1 - d[t]) * carry")),
    GOALS.format(goal=_DOUBLE).replace("{next}", "s2"),
    filled(_ACTING, ahead=_NEXT, here="here, did"),
    filled(_ACTING, ahead="old_critic(world(torch.cat([here, did], 1)), did)", here="here, did"),
    filled(_ACTING, ahead="old_critic(world(here, did), old_pilot(world(here, did)))", here="here, did").replace(
        "nn.Linear(6, 4), nn", "World(6, 4), nn"
    ),
    filled(_ACTING, ahead="old_critic(then, map_of(aim[at]))", here="here, map_of(aim[at])"),  # a goal is kept
    filled(_ACTING, ahead="old_critic(world(torch.cat([here, did], 1)), old_pilot(then))", here="here, did"),
    _METHODS.replace("{next}", "s2"),
    _REMEMBERED.replace("{next}", "seen[1:]"),
    GOALS.format(goal="r[at] + 0.9 * best * going").replace("target(s2[at])", "target(s[at] + 0.1 * s2[at])"),
    GOALS.format(goal="r[at] + 0.9 * best * going - 0.9 * (target(s[at]).max(1, keepdim=True).values - r[at])"),
)
