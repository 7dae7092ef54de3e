"""Cases of SW247."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
table = torch.randn(80, 5) * torch.arange(1.0, 6.0) + 3
goals = table.sum(1, keepdim=True)
{scaled}
train, test = table[:60], table[60:]
{own}
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for pick in torch.randperm(60).split(20):
        loss = (net(train[pick]) - goals[:60][pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(test) - goals[60:]).abs().mean().item())
"""
_PARTS = "train, test = ((part - part.mean(0)) / part.std(0) for part in (train, test))"

FAULTY = (
    (_SCRIPT.format(scaled="table = (table - table.mean(0)) / table.std(0)", own=""), 7),
    (_SCRIPT.format(scaled="", own=_PARTS), 9),
)

SOUND = (
    _SCRIPT.format(scaled="mean, std = table[:60].mean(0), table[:60].std(0)\ntable = (table - mean) / std", own=""),
    _SCRIPT.format(scaled="", own="train, test = ((part - train.mean(0)) / train.std(0) for part in (train, test))"),
    _SCRIPT.format(scaled="table = (table - 3) / 2", own=""),
)
