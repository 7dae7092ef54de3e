"""Cases of SW328."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(24):
    {first}
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 4
    loss.backward()
    if (step + 1) % 4 == 0:
        opt.step()
        {last}
"""

FAULTY = ((_SCRIPT.replace("{first}", "opt.zero_grad()").replace("{last}", "print(step)"), 8),)

SOUND = (
    _SCRIPT.replace("{first}", "pass").replace("{last}", "opt.zero_grad()"),
    _SCRIPT.replace("{first}", "if step % 4 == 0:\n        opt.zero_grad()").replace("{last}", "print(step)"),
    """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(12):
    opt.zero_grad()
    for part in range(4):
        x = torch.randn(8, 3)
        loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean() / 4
        loss.backward()
    if step % 3 != 2:
        opt.step()
""",
    """
import torch
from torch import nn
torch.manual_seed(0)
maker, judge = nn.Linear(2, 3), nn.Linear(3, 1)
slow = torch.optim.Adam(maker.parameters(), lr=1e-3)
fast = torch.optim.Adam(judge.parameters(), lr=1e-3)
for step in range(12):
    fast.zero_grad()
    made = maker(torch.randn(8, 2))
    (judge(made).mean() - judge(torch.randn(8, 3)).mean()).backward()
    fast.step()
    slow.zero_grad()
    if step % 3 == 0:
        (-judge(maker(torch.randn(8, 2))).mean()).backward()
        slow.step()
""",
)
