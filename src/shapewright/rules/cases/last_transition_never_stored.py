"""Cases of SW285."""

_AGENT = """
import random
from collections import deque
import torch
from torch import nn
torch.manual_seed(0)
class Walk:
    def reset(self):
        self.at = 0
        return torch.zeros(3).numpy()
    def step(self, action):
        self.at += 1
        return torch.randn(3).numpy(), random.random(), self.at == 7, {}
class Memory:
    def __init__(self):
        self.kept = deque(maxlen=500)
    def add(self, state, action, reward, following, end):
        self.kept.append((state, action, reward, following, float(end)))
env, memory, net = Walk(), Memory(), nn.Linear(3, 2)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
def learn():
    rows = random.sample(memory.kept, 6)
    state, action, reward, following, end = (torch.tensor([list(x) if i in (0, 3) else x for x in part])
                                             for i, part in enumerate(zip(*rows)))
    with torch.no_grad():
        goal = reward + 0.9 * net(following).max(1).values * (1 - end)
    loss = nn.functional.mse_loss(net(state).gather(1, action[:, None])[:, 0], goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
for episode in range(4):
    state, end = env.reset(), False
    while not end:
        action = int(net(torch.tensor(state)).argmax())
        following, reward, end, told = env.step(action)
        STORE
        state = following
    if len(memory.kept) >= 6:
        learn()
"""


def _with(store: str) -> str:
    return _AGENT.replace("STORE", store.replace("\n", "\n        "))


_ADD = "memory.add(state, action, reward, following, end)"

FAULTY = (
    (_with(f"if end:\n    break\n{_ADD}"), 38),
    (_with(f"if not end:\n    {_ADD}"), 37),
    (_with(f"keep = 1 - int(end)\nif keep:\n    {_ADD.replace(', end)', ', keep)')}"), 38),
    (
        _with(f"if not end:\n    {_ADD}").replace(
            "memory.add(state, action, reward, following, end)\n",
            "memory.kept.append((state, action, reward, following, float(end)))\n",
        ),
        37,
    ),
)

SOUND = (
    _with(_ADD),
    _with(f"{_ADD}\nif end:\n    break"),
    # the end is stored by another line, with another reward
    _with(f"if end:\n    memory.add(state, action, -1.0, following, True)\nelse:\n    {_ADD}"),
    _with(f"seen = []\nif not end:\n    seen.append((following, 1))\n{_ADD}"),
    # what is shown while an episode goes on is no memory: no flag is handed over
    _with(f"if not end:\n    round(float(reward), 2)\n{_ADD}"),
    # a policy that is played afterwards, with a rate of 0, by a loop that begins with several names
    _with(_ADD)
    + """
def act(state, rate):
    if random.random() < rate:
        return random.randrange(2)
    return int(net(torch.tensor(state)).argmax())
for turn in range(6):
    state, end, total = env.reset(), False, 0.0
    while not end:
        state, reward, end, told = env.step(act(state, 0.0))
        total += reward
    print(total)
""",
)
