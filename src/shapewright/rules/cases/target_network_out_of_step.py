"""Cases of SW341."""

import textwrap

from . import filled

SETUP = """
import copy
import torch
from torch import nn
from torch.nn import functional as F
online = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
behind = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
behind.load_state_dict(online.state_dict())
opt = torch.optim.Adam(online.parameters(), lr=1e-3)
for step in range(4):
    s, s2, a = torch.randn(8, 4), torch.randn(8, 4), torch.randint(0, 2, (8, 1))
    r, done = torch.randn(8), torch.zeros(8)
    with torch.no_grad():
        goal = r + 0.99 * (1 - done) * behind(s2).max(1).values
    loss = F.mse_loss(online(s).gather(1, a).squeeze(1), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_AVERAGED = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(4, 2)
slow = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(4):
    x = torch.randn(16, 4)
    loss = (net(x) - x[:, :2]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for kept, new in zip({order}):
            kept.mul_(0.9).add_(new, alpha=0.1)
with torch.no_grad():
    print(slow(torch.randn(3, 4)))
"""

_KEPT = _AVERAGED.replace(
    "slow = copy.deepcopy(net).requires_grad_(False)", "slow = [{kept} for p in net.parameters()]"
)
_KEPT = _KEPT.replace("zip({order})", "zip(slow, net.parameters())").replace("slow(torch.randn(3, 4))", "slow[1]")


_RETURNED = """
import copy
import torch
from torch import nn
from torch.nn import functional as F


def run():
    online = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    behind = copy.deepcopy(online)
    opt = torch.optim.Adam(online.parameters(), lr=1e-3)
    for step in range(4):
        s, s2, a = torch.randn(8, 4), torch.randn(8, 4), torch.randint(0, 2, (8, 1))
        r, done = torch.randn(8), torch.zeros(8)
        with torch.no_grad():
            best = online(s2).argmax(1, keepdim=True)
            goal = r + 0.99 * (1 - done) * {ahead}(s2).gather(1, best).squeeze(1)
        loss = F.mse_loss(online(s).gather(1, a).squeeze(1), goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        behind.load_state_dict(online.state_dict())
    {end}


run()
"""
_TEACHER = """
import torch
from torch import nn
torch.manual_seed(0)
student, teacher = nn.Linear(6, 3), nn.Linear(6, 3)
for slow, fast in zip(teacher.parameters(), student.parameters()):
    slow.requires_grad_(False)
    slow.data = fast.data{copied}
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 6), torch.randint(0, 3, (8,))
    soft = teacher(x).softmax(1)
    out = student(x + 0.1 * torch.randn_like(x))
    loss = nn.functional.cross_entropy(out, y) + (out.softmax(1) - soft).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for slow, fast in zip(teacher.parameters(), student.parameters()):
            slow.lerp_(fast, 0.1)
"""

_ACTOR = """
import copy
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
actor, critic = nn.Linear(3, 1), nn.Linear(4, 1)
slow_actor, slow_critic = copy.deepcopy(actor), copy.deepcopy(critic)
acts = torch.optim.Adam(actor.parameters(), lr=1e-3)
judges = torch.optim.Adam(critic.parameters(), lr=1e-3)
for step in range(4):
    s, a, r, s2, over = *(torch.randn(16, n) for n in (3, 1, 1, 3)), torch.randint(2, (16, 1))
    with torch.no_grad():
        a2 = torch.tanh({ahead}(s2))
        goal = r + 0.98 * (1 - over) * slow_critic(torch.cat([s2, a2], 1))
    missed = F.mse_loss(critic(torch.cat([s, a], 1)), goal)
    judges.zero_grad()
    missed.backward()
    judges.step()
    gain = critic(torch.cat([s, torch.tanh(actor(s))], 1)).mean()
    acts.zero_grad()
    (-gain).backward()
    acts.step()
    for slow, fast in ((slow_actor, actor), (slow_critic, critic)):
        for p, q in zip(slow.parameters(), fast.parameters()):
            p.data.lerp_(q.data, 0.01)
{after}
"""

_TWINS = """
import torch
from torch import nn

torch.manual_seed(0)
first, second, slow, slower = (nn.Linear(4, 1) for _ in range(4))
opt = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=1e-3)
for step in range(4):
    seen, after, reward = torch.randn(16, 4), torch.randn(16, 4), torch.randn(16, 1)
    low = torch.min(slow(after), slower(after))
    goal = (reward + 0.98 * low).detach()
    missed = (first(seen) - goal).pow(2).mean() + (second(seen) - goal).pow(2).mean()
    opt.zero_grad()
    missed.backward()
    opt.step()
    share = 1.0 if step == 0 else 0.05
    for behind, net in ((slow, first), (slower, {net})):
        for p, q in zip(behind.parameters(), net.parameters()):
            p.data = (1 - share) * p.data + share * q.data
"""

_PULLED = """
import copy
import torch
from torch import nn
net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 4))
guide, ahead = copy.deepcopy(net).requires_grad_(False), nn.Linear(4, 4)
opt = torch.optim.SGD([*net.parameters(), *ahead.parameters()], lr=0.1)
for _ in range(4):
    x = torch.randn(10, 6)
    one, two = x + 0.1 * torch.randn(10, 6), x + 0.1 * torch.randn(10, 6)
    loss = 1 - nn.functional.cosine_similarity(ahead(net(one)), guide(two)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for kept, new in zip(guide.parameters(), net.parameters()):
            {update}
"""

FAULTY = (
    (_AVERAGED.replace("{order}", "net.parameters(), slow.parameters()"), 17),
    (SETUP, 14),
    (SETUP + "    online.load_state_dict(behind.state_dict())\n", 19),
    (
        SETUP
        + """    for p, q in zip(online.parameters(), behind.parameters()):
        p.data.copy_(0.995 * p.data + 0.005 * q.data)
""",
        20,
    ),
    (
        SETUP
        + """    for p, q in zip(behind.parameters(), online.parameters()):
        p.data = q.data
""",
        20,
    ),
    (
        SETUP
        + """    for p, q in zip(behind.parameters(), online.parameters()):
        p.data.copy_(0.995 * p.data + 0.005 * p.data)
""",
        20,
    ),
    (_AVERAGED.replace("{order}", "slow.parameters(), slow.parameters()"), 17),
    (_KEPT.replace("{kept}", "p.detach()"), 7),
    (SETUP.replace("behind(s2)", "online(s2)") + "    behind.load_state_dict(online.state_dict())\n", 14),
    (_RETURNED.format(ahead="online", end="return"), 17),
    (filled(_TEACHER, copied=""), 8),
    (filled(_ACTOR, ahead="actor", after=""), 15),
    # the copies are gone when the function has returned
    ("def run():" + textwrap.indent(filled(_ACTOR, ahead="actor", after=""), "    ") + "\n\nrun()\n", 15),
    (
        SETUP.replace("behind(s2)", "online(s2)")
        .replace("no_grad", "enable_grad")
        .replace("(1), goal", "(1), goal.detach()")
        + "    behind.load_state_dict(online.state_dict())\n",
        14,
    ),
    (filled(_TWINS, net="first"), 19),
    (filled(_PULLED, update="kept = 0.9 * kept + 0.1 * new"), 17),
    (filled(_PULLED, update="kept = torch.lerp(kept, new, 0.1)"), 17),
)
SOUND = (
    _AVERAGED.replace("{order}", "slow.parameters(), net.parameters()"),
    SETUP + "    behind.load_state_dict(online.state_dict())\n",
    SETUP
    + """    for p, q in zip(behind.parameters(), online.parameters()):
        p.data.mul_(0.995).add_(q.data, alpha=0.005)
""",
    SETUP
    + """    with torch.no_grad():
        torch._foreach_lerp_(list(behind.parameters()), list(online.parameters()), 0.005)
""",
    SETUP
    + """    for p, q in zip(behind.parameters(), online.parameters()):
        p.data = q.data.clone()
""",
    SETUP + "    behind = copy.deepcopy(online)\n",
    # a step counter that only the last step reaches
    SETUP.replace("range(4)", "range(600)")
    + "    if step % 500 == 499:\n        behind.load_state_dict(online.state_dict())\n",
    # a frozen random target, and a reference model: neither predicts the future
    """
import copy
import torch
from torch import nn
from torch.nn import functional as F
known, guess = nn.Linear(4, 8), nn.Linear(4, 8)
reference = copy.deepcopy(guess)
opt = torch.optim.Adam(guess.parameters(), lr=1e-3)
for step in range(3):
    x = torch.randn(16, 4)
    with torch.no_grad():
        goal, old = known(x), reference(x)
    new = guess(x)
    loss = F.mse_loss(new, goal) + 0.1 * F.mse_loss(new, old)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    # the average comes by way of arrays
    SETUP
    + """    for p, q in zip(behind.parameters(), online.parameters()):
        p.data.mul_(0.9)
        p.data.add_(torch.from_numpy(0.1 * q.detach().numpy()))
""",
    _KEPT.replace("{kept}", "p.detach().clone()"),
    _RETURNED.format(ahead="behind", end="return"),
    _RETURNED.format(ahead="online", end="return behind.state_dict()"),  # the last is kept, to be saved
    # the helper of the first copy is called again for the update, as often as the command line says
    SETUP.replace(
        "behind.load_state_dict(online.state_dict())\n",
        "import sys\ndef follow():\n    behind.load_state_dict(online.state_dict())\nfollow()\n",
    )
    + "    if len(sys.argv) > 1 and step % int(sys.argv[1]) == 0:\n        follow()\n",
    filled(_TEACHER, copied=".clone()"),
    filled(_ACTOR, ahead="slow_actor", after=""),
    # a policy without a copy in its targets, whose average is what is played in the end
    filled(_ACTOR, ahead="actor", after="print(slow_actor(torch.randn(5, 3)))"),
    filled(_TWINS, net="second"),
    filled(_PULLED, update="kept.data = 0.9 * kept + 0.1 * new"),
    filled(_PULLED, update="kept.copy_(0.9 * kept + 0.1 * new)"),
    filled(_PULLED, update="print((kept - new).abs().max())"),  # the guide stays as it is
)

# the copy is asked by way of another module than the one that is trained
_WRAPPED = _AVERAGED.replace("import copy\n", "import copy\n").replace(
    "opt = torch",
    """class Trainer(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, x):
        return (self.model(x) - x[:, :2]).pow(2).mean()
class Sampler(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
    def forward(self, x):
        return self.model(x)
trainer, sampler = Trainer(net), Sampler(slow)
opt = torch""",
)
_WRAPPED = _WRAPPED.replace("(net(x) - x[:, :2]).pow(2).mean()", "trainer(x)").replace("print(slow(", "print(sampler(")
FAULTY += ((_WRAPPED.replace("{order}", "net.parameters(), slow.parameters()"), 30),)
SOUND += (
    _WRAPPED.replace("{order}", "slow.parameters(), net.parameters()"),
    # one mixture with the weights before training, when that is over
    _WRAPPED.replace("{order}", "net.parameters(), slow.parameters()")
    .replace("    with torch.no_grad():\n        for", "with torch.no_grad():\n        for")
    .replace("        for kept", "    for kept")
    .replace("            kept.mul", "        kept.mul"),
)
