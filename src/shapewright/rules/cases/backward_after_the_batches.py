"""Cases of SW320."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    {start}
    for x, y in DataLoader(TensorDataset(torch.randn(24, 5), torch.randint(0, 3, (24,))), batch_size=8):
        loss = nn.functional.cross_entropy(net(x), y)
        {keep}
    {more}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (
        _SCRIPT.replace("{start}", "total = 0.0")
        .replace("{keep}", "total += loss.item()")
        .replace("{more}", "print(total)"),
        15,
    ),
)

SOUND = (
    _SCRIPT.replace("{start}", "total = []")
    .replace("{keep}", "total.append(loss)")
    .replace("{more}", "loss = torch.stack(total).mean()"),
    _SCRIPT.replace("{start}", "")
    .replace("{keep}", "opt.zero_grad(); loss.backward(); opt.step()")
    .replace("{more}", "loss = nn.functional.cross_entropy(net(x), y)"),
)
