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

_STEPS = """
import torch
from torch import nn

torch.manual_seed(0)
cell, out = nn.GRUCell(4, 8), nn.Linear(8, 4)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()])
for round in range(3):
    seen, state, missed = torch.randint(4, (61,)), torch.zeros(1, 8), 0
    for k in range(60):
        state = cell(nn.functional.one_hot(seen[k : k + 1], 4).float(), state)
        missed {adds} nn.functional.cross_entropy(out(state), {target})
    opt.zero_grad()
    missed.backward()
    opt.step()
"""

# a loss of the script's own, over the batches of a table
_COUNTS = """
import torch
from torch import nn
torch.manual_seed(0)
cell, out = nn.GRUCell(3, 16), nn.Linear(16, 1)
opt = torch.optim.Adam([*cell.parameters(), *out.parameters()], 1e-2)
data = torch.randn(48, 20, 3)
goal = data.cumsum(1).sum(-1) / 5
def off(said, wanted):
    return ((said.squeeze(1) - wanted) ** 2).mean()
for at in range(0, 48, 16):
    x, y = data[at : at + 16].transpose(0, 1), goal[at : at + 16].t()
    h, loss = torch.zeros(16, 16), 0
    for k in range(20):
        h = cell(x[k], h)
        loss {adds} off(out(h), y[{at}])
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
    (_STEPS.format(adds="=", target="seen[k + 1].view(1)"), 14),
    (_COUNTS.format(adds="=", at="k"), 18),
)

SOUND = (
    _SCRIPT.replace("{start}", "total = []")
    .replace("{keep}", "total.append(loss)")
    .replace("{more}", "loss = torch.stack(total).mean()"),
    _SCRIPT.replace("{start}", "")
    .replace("{keep}", "opt.zero_grad(); loss.backward(); opt.step()")
    .replace("{more}", "loss = nn.functional.cross_entropy(net(x), y)"),
    _STEPS.format(adds="+=", target="seen[k + 1].view(1)"),
    _STEPS.format(adds="=", target="seen[60].view(1)"),  # one target for the whole sequence
    _COUNTS.format(adds="+=", at="k"),
    _COUNTS.format(adds="=", at="-1"),
)
