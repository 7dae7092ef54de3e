"""Cases of SW304."""

_PAIR = """
import torch
from torch import nn
torch.manual_seed(0)
a, b = nn.Linear(3, 4), nn.Linear(4, 1)
opt_a = torch.optim.SGD(a.parameters(), lr=0.1)
opt_b = torch.optim.SGD(b.parameters(), lr=0.1)
for step in range(5):
    x = torch.randn(8, 3)
    loss = (b(a(x)) - x.sum(1, keepdim=True)).pow(2).mean()
    opt_a.zero_grad()
    opt_b.zero_grad()
    loss.backward()
    opt_a.step()
    {second}
"""

FAULTY = (
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, 2)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    scheduler.step()
""",
        11,
    ),
    (_PAIR.replace("{second}", ""), 14),
)

SOUND = (
    _PAIR.replace("{second}", "opt_b.step()"),
    _PAIR.replace("{second}", "for opt in (opt_b,):\n        opt.step()"),
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
pending = 0
for step in range(60):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 16
    loss.backward()
    pending += 1
    if pending == 16:
        opt.step()
        opt.zero_grad()
        pending = 0
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
""",
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
adam = torch.optim.Adam(model.parameters(), lr=0.01)
lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.1)
x = torch.randn(32, 3)

def closure():
    lbfgs.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    return loss

for step in range(4):
    lbfgs.step(closure)
""",
    """
import torch
from torch import nn
model, mover = nn.Linear(3, 1), nn.GRU(1, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.01 * mover(p.grad.view(-1, 1))[0].view_as(p)
""",
)
