"""Cases of SW309."""

FAULTY = (
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
running = 0.0
for step in range(6):
    x = torch.randn(8, 3)
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss
print(running)
""",
        13,
    ),
)

SOUND = (
    """
import torch
from torch import nn
model = nn.GRUCell(3, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
running, kept = 0.0, torch.zeros(())
for step in range(6):
    h, loss = torch.zeros(8, 4), 0.0
    for t in range(5):
        h = model(torch.randn(8, 3), h)
        loss += h.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss.item()
    kept += loss.detach()
print(running, kept)
""",
)
