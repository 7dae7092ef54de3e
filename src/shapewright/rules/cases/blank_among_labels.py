"""Cases of SW236."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(7, 3, 5), {labels}
for step in range(3):
    logs = net(x).log_softmax(-1)
    loss = nn.CTCLoss({blank})(logs, y, torch.full((3,), 7), torch.full((3,), 2))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = tuple(
    (_SCRIPT.replace("{labels}", labels).replace("{blank}", blank), 10)
    for labels, blank in (
        ("torch.tensor([[0, 1], [2, 0], [3, 1]])", ""),
        ("torch.tensor([[3, 1], [2, 0], [3, 1]])", "blank=3"),
    )
)

SOUND = tuple(
    _SCRIPT.replace("{labels}", labels).replace("{blank}", blank)
    for labels, blank in (
        ("torch.tensor([[3, 1], [2, 1], [3, 1]])", ""),
        ("torch.tensor([[0, 1, 3], [2, 0, 3], [1, 2, 3]])", "blank=3"),
        ("torch.tensor([1, 2, 3, 1, 2, 3])", ""),
        ("torch.tensor([[3, 1, 0], [2, 1, 0], [3, 1, 0]])", ""),
    )
)
