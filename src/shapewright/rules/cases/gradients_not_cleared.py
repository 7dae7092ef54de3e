"""Cases of SW301."""

from . import filled

_HAND = """
import torch
torch.manual_seed(0)
x, y = torch.randn(20, 3), torch.randn(20, 2)
a, b = torch.randn(3, 4, requires_grad=True), torch.randn(4, 2, requires_grad=True)
for step in range(5):
    loss = (torch.relu(x @ a) @ b - y).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        a -= 0.1 * a.grad
        {b}
        {clear}
"""

FAULTY = (
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
x = torch.randn(8, 3)
opt = torch.optim.LBFGS(model.parameters(), max_iter=3)
def closure():
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    return loss
for step in range(4):
    opt.step(closure)
""",
        10,
    ),
    (_HAND.format(b="b -= 0.1 * b.grad", clear="a.grad.zero_(); a.grad.zero_()"), 8),
    (_HAND.format(b="b.sub_(b.grad, alpha=0.1)", clear="a.grad = None"), 8),
    (_HAND.format(b="b.data.add_(b.grad.data, alpha=-0.1)", clear="a.grad.data.zero_()"), 8),
)

SOUND = (
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(24):  # four batches to a step
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    for p in model.parameters():
        p.grad = None
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
maker, judge = nn.Linear(2, 3), nn.Linear(3, 1)
opt_m, opt_j = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
for step in range(5):
    real, fake = torch.randn(8, 3), maker(torch.randn(8, 2))
    opt_j.zero_grad()
    loss = judge(fake.detach()).mean() - judge(real).mean()
    loss.backward()
    opt_j.step()
    opt_m.zero_grad(set_to_none=False)
    (-judge(fake).mean()).backward()
    opt_m.step()
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
x = torch.randn(8, 3)
opt = torch.optim.LBFGS(model.parameters(), max_iter=3)
def closure():
    opt.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    return loss
for step in range(4):
    opt.step(closure)
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
def loss_of(x):
    return ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 2
for step in range(5):  # two batches to a step, the second one inside the step's closure
    loss_of(torch.randn(8, 3)).backward()
    def closure():
        loss = loss_of(torch.randn(8, 3))
        loss.backward()
        return loss
    opt.step(closure)
    for p in model.parameters():
        p.grad = None
""",
    _HAND.format(b="b -= 0.1 * b.grad", clear="a.grad.zero_(); b.grad.zero_()"),
    _HAND.format(b="b.sub_(b.grad, alpha=0.1)", clear="a.grad = b.grad = None"),
    _HAND.format(b="b.data.add_(b.grad.data, alpha=-0.1)", clear="a.grad.data.zero_(); b.grad.data.zero_()"),
    _HAND.format(b="b -= 0.1 * b.grad", clear="a.grad.mul_(0.9); b.grad.mul_(0.9)"),
    _HAND.format(b="b -= 0.1 * b.grad", clear="a.grad, b.grad = torch.zeros_like(a), torch.zeros_like(b)"),
)

# what an attack leaves in the weights
_ATTACKED = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rows, kinds = torch.randn(60, 6), torch.randint(0, 3, (60,))
for at in range(3):
    x, y = rows[at * 20 : at * 20 + 20], kinds[at * 20 : at * 20 + 20]
    {first}
    off = {start}.requires_grad_()
    {mode}
    F.cross_entropy(net(x + off), y).backward()
    moved = (x + off + 0.1 * off.grad.sign()).detach()
    net.train()
    {later}
    loss = F.cross_entropy(net(moved), y)
    loss.backward()
    opt.step()
    {last}
"""
_FREE = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
rows, kinds = torch.randn(60, 6), torch.randint(0, 3, (60,))
for at in range(3):
    x, y = rows[at * 20 : at * 20 + 20], kinds[at * 20 : at * 20 + 20]
    opt.zero_grad()
    off = torch.empty_like(x).uniform_(-0.1, 0.1)
    for turn in range(3):  # each step of the attack is learned from
        off = off.detach().requires_grad_()
        (F.cross_entropy(net(x + off), y) / 3).backward()
        off = off + 0.05 * off.grad.sign()
    opt.step()
"""
_NOISE, _NONE, _CLEAR = "torch.empty_like(x).uniform_(-0.1, 0.1)", "torch.zeros_like(x)", "opt.zero_grad()"
FAULTY += (
    (filled(_ATTACKED, first=_CLEAR, start=_NOISE, mode="pass", later="pass", last="pass"), 19),
    (filled(_ATTACKED, first="pass", start=_NONE, mode="net.eval()", later="pass", last="net.zero_grad()"), 19),
)
SOUND += (
    filled(_ATTACKED, first="pass", start=_NOISE, mode="pass", later=_CLEAR, last="pass"),
    filled(_ATTACKED, first="pass", start=_NOISE, mode="net.eval()", later="net.zero_grad()", last="pass"),
    filled(
        _ATTACKED,
        first="pass",
        start=_NOISE,
        mode="pass",
        later="for p in net.parameters(): p.grad = None",
        last="pass",
    ),
    filled(
        _ATTACKED, first="pass", start=_NOISE, mode="pass", later="for p in net.parameters(): p.grad.zero_()", last=""
    ),
    # clean and perturbed samples are learned from alike
    filled(_ATTACKED, first=_CLEAR, start=_NONE, mode="pass", later="pass", last="pass"),
    _FREE,
)
