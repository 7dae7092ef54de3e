"""Cases of SW351."""

FAULTY = (
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    loss = nn.functional.cross_entropy(model(torch.randn(8, 3)), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    print((model(torch.randn(8, 3)).argmax(1) == 1).float().mean().item())
""",
        13,
    ),
)

SOUND = (
    """
import torch
from torch import nn
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    model.train()
    loss = nn.functional.cross_entropy(model(torch.randn(8, 3)), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        print((model(torch.randn(8, 3)).argmax(1) == 1).float().mean().item())
""",
)
