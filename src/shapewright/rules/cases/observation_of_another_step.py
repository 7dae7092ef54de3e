"""Cases of SW314."""

_ACTOR = """
import random
import torch
from torch import nn
from torch.distributions import Categorical
torch.manual_seed(0)
class Track:
    def reset(self):
        self.at, self.clock = random.uniform(-0.2, 0.2), 0
        return self.seen()
    def seen(self):
        return torch.tensor([self.at, self.clock / 30])
    def step(self, action):
        self.at += 0.1 if action == 1 else -0.1
        self.clock += 1
        return self.seen(), -abs(self.at), self.clock >= 14
track, actor = Track(), nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
critic = nn.Linear(2, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-2)
for update in range(4):
    seen, done, rewards, ends, values = [], [], [], [], []
    for episode in range(5):
        state, over = track.reset(), False
        start = state
        while not over:
            action = Categorical(logits=actor(state)).sample().item()
            BEFORE
            following, reward, over = track.step(action)
            AFTER
            done.append(action)
            rewards.append(reward)
            ends.append(over)
    returns, running = [], 0.0
    for reward, over in zip(reversed(rewards), reversed(ends)):
        running = reward + 0.9 * running * (not over)
        returns.insert(0, running)
    weights = torch.tensor(returns)
    logits = actor(torch.stack(seen))
    loss = -(Categorical(logits=logits).log_prob(torch.tensor(done)) * (weights - weights.mean())).mean()
    MORE
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_AGENT = """
import random
import torch
from torch import nn
torch.manual_seed(0)
random.seed(0)
class Track:
    def reset(self):
        self.at = [random.uniform(-0.2, 0.2), 0.0]
        return list(self.at)
    def step(self, action):
        self.at = [self.at[0] + (0.1 if action else -0.1), self.at[1] + 0.05]
        return list(self.at), -abs(self.at[0]), self.at[1] >= 1
def learn():
    rows = random.sample(kept, 8)
    state, action, reward, after, over = (torch.tensor(part) for part in list(zip(*rows))[:5])
    with torch.no_grad():
        goals = reward + 0.9 * net(after).max(1).values * ~over
    loss = nn.functional.mse_loss(net(state).gather(1, action[:, None])[:, 0], goals)
    opt.zero_grad()
    loss.backward()
    opt.step()
track, net, kept, goal = Track(), nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2)), [], [0.5, 1.0]
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for episode in range(8):
    state, over = track.reset(), False
    while not over:
        action = random.randrange(2)
        if random.random() > 0.5:
            action = int(net(torch.tensor(state)).argmax())
        following, reward, over = track.step(action)
        kept.append((state, action, reward, following, over))
        NEXT
    if len(kept) > 30:
        learn()
"""


def _with(before: str, after: str, more: str = "pass") -> str:
    deep = "\n            "
    text = _ACTOR.replace("BEFORE", before.replace("\n", deep)).replace("AFTER", after.replace("\n", deep))
    return text.replace("MORE", more)


_KEEP, _NEXT = "seen.append(state)", "state = following"
_BOTH = "loss = loss + critic(torch.stack(seen)).sub(1 + 0.9 * critic(torch.stack(values)).detach()).pow(2).mean()"

FAULTY = (
    (_with(_KEEP, "pass"), 28),
    (_with("pass", f"{_NEXT}\n{_KEEP}"), 30),
    (_AGENT.replace("NEXT", "pass"), 31),
)

SOUND = (
    _with(_KEEP, _NEXT),
    _with(
        f"{_KEEP}\nwith torch.no_grad():\n    print(critic(start).item())", _NEXT
    ),  # what the first observation promises is shown at each step
    _with(_KEEP, f"{_NEXT}\nvalues.append(following)", _BOTH),  # a critic reads the next observations too
    _AGENT.replace("NEXT", "state = following"),
    _AGENT.replace("NEXT", "state = following").replace("reward, following, over))", "reward, following, over, goal))"),
    # the state is the same all along, and the steps tell nothing else
    _with(_KEEP, "pass").replace("return torch.tensor([self.at, self.clock / 30])", "return torch.tensor([0.5, 0.25])"),
)

# the state, a number, is advanced before the transition is stored
_CORRIDOR = """
import random
from collections import deque
import torch
from torch import nn
torch.manual_seed(0)
random.seed(0)
class Corridor:
    def reset(self):
        self.at = 4
        return self.at
    def step(self, action):
        self.at = min(9, max(0, self.at + (1 if action else -1)))
        return self.at, float(self.at == 9), self.at in (0, 9)
class Memory:
    def __init__(self):
        self.kept = deque(maxlen=500)
    def keep(self, entry):
        self.kept.append(entry)
net, memory, world = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 2)), Memory(), Corridor()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
def shown(state):
    return nn.functional.one_hot(torch.tensor(state), 10).float()
for episode in range(12):
    state, over = world.reset(), False
    while not over:
        action = random.randrange(2)
        following, reward, over = world.step(action)
        {store}
    if len(memory.kept) > 20:
        loss = 0
        for before, action, after, reward, over in random.sample(list(memory.kept), 8):
            with torch.no_grad():
                goal = reward if over else reward + 0.9 * net(shown(after)).max()
            loss = loss + (net(shown(before))[action] - goal) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
"""
_ENTRY = "memory.keep((state, action, following, reward, over))"
FAULTY += ((_CORRIDOR.replace("{store}", f"state = following\n        {_ENTRY}"), 19),)
SOUND += (_CORRIDOR.replace("{store}", f"{_ENTRY}\n        state = following"),)
