"""Cases of SW348."""

from . import filled

_LOSS = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(64, 6), torch.randint(0, 3, (64,))
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(4):
    out = net(x)
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_ATTENTION = """
import torch
from torch import nn
torch.manual_seed(0)
lengths = torch.tensor([5, 3, {short}, 4])
words = torch.randint(1, 30, (4, 5))
pad = torch.arange(5) >= lengths[:, None]
table, ask, head = nn.Embedding(30, 8), nn.Linear(8, 1), nn.Linear(8, 2)
opt = torch.optim.SGD([*table.parameters(), *ask.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    h = table(words)
    score = ask(h).squeeze(-1).masked_fill(pad, float("-inf"))
    weight = {weight}
    out = head((weight.unsqueeze(-1) * h).sum(1))
    loss = nn.functional.cross_entropy(out, torch.tensor([0, 1, 0, 1]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_DISTANCE = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(12, 5)
for step in range(3):
    z = net(x)
    gap = (z[:, None] - z[None]).pow(2).sum(-1)
    apart = {apart}
    loss = torch.relu(1 - apart).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_DATA = """
import numpy as np
import torch
from torch import nn
rows = np.linspace(0, 4, 80).reshape(20, 4).astype("float32")
rows[3, 2] = np.nan
x = torch.from_numpy({rows})
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    {test}opt.step()
"""

FAULTY = (
    (filled(_LOSS, loss="-torch.log(out)[torch.arange(64), y].mean()"), 10),
    (filled(_LOSS, loss="(out.pow(2) * (y == 7)[:, None]).sum() / (y == 7).sum()"), 10),
    # where the target is 0, its logarithm is -inf and the product of both NaN
    (filled(_LOSS, loss="(nn.functional.one_hot(y, 3) * (nn.functional.one_hot(y, 3).log() - out)).sum(1).mean()"), 10),
    (filled(_LOSS, loss="nn.functional.cross_entropy(out, torch.full_like(y, -100))"), 10),
    (filled(_LOSS, loss="out.pow(2).mean() + out[y == 7].abs().mean()"), 10),
    (filled(_LOSS, loss="out.pow(2).mean() - torch.log(torch.relu(out)).mean()"), 10),
    (filled(_LOSS, loss="((out - out.mean(1, keepdim=True)) / out[:, :1].std(1, keepdim=True)).pow(2).mean()"), 10),
    (filled(_ATTENTION, short="0", weight="score.softmax(1)"), 13),
    (filled(_DISTANCE, apart="gap.sqrt()"), 11),
    (filled(_DISTANCE, apart="torch.where(gap > 0, gap.sqrt(), gap)"), 11),
    (filled(_DATA, rows="rows", test=""), 11),
    # a row that is left out of the loss has a gradient of 0, and 0 times its NaN is NaN
    (filled(_DATA, rows="rows", test="").replace("net(x).pow(2)", "net(x)[~x.isnan().any(1)].pow(2)"), 11),
)
SOUND = (
    filled(_LOSS, loss="-torch.log(out.softmax(1))[torch.arange(64), y].mean()"),
    filled(_LOSS, loss="(out.pow(2) * (y == 7)[:, None]).sum() / (y == 7).sum().clamp(min=1)"),
    filled(_LOSS, loss="torch.nan_to_num(out.pow(2)[y == 7].mean()) + out.pow(2).mean()"),
    filled(_LOSS, loss="torch.where(out > 0, out, out.exp()).mean()"),
    # a loss that is not finite is passed over
    filled(_LOSS, loss="out.pow(2).mean() + out[y == step + 9].mean()").replace(
        "    opt.zero_grad", "    if not torch.isfinite(loss):\n        continue\n    opt.zero_grad"
    ),
    filled(_ATTENTION, short="2", weight="score.softmax(1)"),
    filled(_ATTENTION, short="0", weight="score.masked_fill(pad.all(1, keepdim=True), 0.0).softmax(1)"),
    filled(_DISTANCE, apart="(gap + 1e-9).sqrt()"),
    filled(_DISTANCE, apart="torch.where(gap > 0, torch.where(gap > 0, gap, torch.ones_like(gap)).sqrt(), gap)"),
    filled(_DATA, rows="np.nan_to_num(rows)", test=""),
    filled(_DATA, rows="rows", test="if all(p.grad.isfinite().all() for p in net.parameters()):\n        "),
    filled(_DATA, rows="rows", test="").replace("net(x).pow(2)", "net(x[~x.isnan().any(1)]).pow(2)"),
)
