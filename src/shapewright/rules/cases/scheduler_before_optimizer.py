"""Cases of SW310."""

EARLY = """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
for epoch in range(4):
    plan.step({epoch})
    for _ in range(2):
        x = torch.randn(8, 3)
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

FAULTY = ((EARLY.format(epoch=""), 8),)

SOUND = (
    EARLY.format(epoch="epoch"),
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.SequentialLR(opt, [torch.optim.lr_scheduler.LinearLR(opt),
    torch.optim.lr_scheduler.CosineAnnealingLR(opt, 4)], [2])
for epoch in range(4):
    x = torch.randn(8, 3)
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    plan.step()
""",
)
