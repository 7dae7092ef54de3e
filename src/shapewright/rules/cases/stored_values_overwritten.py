"""Cases of SW377."""

from . import filled

_WALK = """
import random
from collections import deque
import numpy as np
import torch
from torch import nn

class Walk:
    def __init__(self):
        self.at, self.moves = None, np.array([[0.1, 0.0], [0.0, 0.1]], dtype=np.float32)

    def reset(self):
        self.at, self.t = np.random.uniform(-1, 1, 2).astype(np.float32), 0
        return self.at.copy()

    def step(self, action):
        {moved}
        self.t += 1
        return {given}, -float(np.abs(self.at).sum()), self.t >= 10

class Memory:
    def __init__(self):
        self.rows, self.next = {rows}, 0

    def push(self, *row):
        {push}

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
walk, memory = Walk(), Memory()
q, late = nn.Linear(2, 2), nn.Linear(2, 2)
late.load_state_dict(q.state_dict())
opt = torch.optim.SGD(q.parameters(), lr=0.01)
for episode in range(4):
    s, done = walk.reset(), False
    while not done:
        a = random.randrange(2)
        after, r, done = walk.step(a)
        memory.push({row})
        s = after
for step in range(4):
    s, a, r, after = zip(*random.sample({batch}, 16))
    s, after = torch.from_numpy(np.stack(s)), torch.from_numpy(np.stack(after))
    with torch.no_grad():
        goal = torch.tensor(r) + 0.9 * late(after).max(1).values
    loss = nn.functional.mse_loss(q(s).gather(1, torch.tensor(a)[:, None]).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    late.load_state_dict(q.state_dict())
"""
_PLAIN = {
    "moved": "self.at += self.moves[action]",
    "given": "self.at",
    "rows": "deque(maxlen=500)",
    "push": "self.rows.append(row)",
    "row": "s, a, r, after",
    "batch": "memory.rows",
}
_RING = {
    **_PLAIN,
    "rows": "[None] * 60",
    "push": "self.rows[self.next] = row; self.next = (self.next + 1) % 60",
    "batch": "memory.rows[:40]",
}

_RUNNING = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
total, kept = torch.zeros(()), []
for step in range(4):
    x = torch.randn(8, 3)
    loss = (model(x).squeeze(1) - x.sum(1)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    {added}
    kept.append({kept})
    {after}
print(torch.stack(kept))
"""
_SUM = "total += loss.detach()"

FAULTY = (
    (filled(_WALK, **_PLAIN), 19),
    (filled(_WALK, **{**_RING, "moved": "self.at[:] = self.at + self.moves[action]"}), 19),
    (
        filled(
            _WALK,
            **{
                **_PLAIN,
                "push": "self.rows.append(dict(enumerate(row)))",
                "batch": "[tuple(one.values()) for one in memory.rows]",
            },
        ),
        19,
    ),
    (filled(_WALK, **{**_PLAIN, "given": "self.at.copy()", "row": "after, a, r, after"}), 26),
    (filled(_RUNNING, added=_SUM, kept="total", after="pass"), 15),
    (filled(_RUNNING, added="pass", kept="model.weight.data.squeeze()", after="pass"), 15),
)

SOUND = (
    filled(_WALK, **{**_PLAIN, "given": "self.at.copy()"}),
    filled(_WALK, **{**_RING, "given": "self.at.copy()"}),
    filled(_WALK, **{**_PLAIN, "moved": "self.at = self.at + self.moves[action]"}),
    filled(_WALK, **{**_PLAIN, "row": "s.copy(), a, r, after.copy()"}),
    filled(_RUNNING, added="total = total + loss.detach()", kept="total", after="pass"),
    filled(_RUNNING, added=_SUM, kept="total.clone()", after="pass"),
    filled(_RUNNING, added="kept.clear(); " + _SUM, kept="total", after="pass"),
    filled(_RUNNING, added=_SUM, kept="total", after="kept[-1] = kept[-1] + 0.0"),
    filled(_RUNNING, added="pass", kept="loss.detach()", after="pairs = [(x, x)]; pairs.append((x, x))"),
)
