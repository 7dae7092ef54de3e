"""Cases of SW354."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net = nn.Linear(6, 5)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
n = 8
for step in range(3):
    x = torch.randn(n, 6)
    a, b = net(x + 0.1 * torch.randn(n, 6)), net(x + 0.1 * torch.randn(n, 6))
    z = F.normalize(torch.cat([a, b]), dim=1)
    partners = torch.cat([torch.arange(n) + n, torch.arange(n)])
    {table}
    loss = {loss}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_APART = _SCRIPT.replace("net(x + 0.1 * torch.randn(n, 6))", "net(torch.randn(n, 6))")  # no two rows of one sample

FAULTY = (
    (filled(_SCRIPT, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, partners)"), 15),
    (
        filled(
            _SCRIPT,
            table="table = 5 * torch.einsum('id,jd->ij', z, z)",
            loss="F.nll_loss(table.log_softmax(1), partners)",
        ),
        15,
    ),
    (
        filled(
            _SCRIPT,
            table="table = F.cosine_similarity(z[:, None], z[None], dim=2) / 0.2",
            loss="F.cross_entropy(table, partners)",
        ),
        15,
    ),
    (filled(_SCRIPT, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, torch.arange(2 * n).roll(n))"), 15),
)

SOUND = (
    filled(_SCRIPT, table="table = z @ z.t() / 0.2 - 1e9 * torch.eye(2 * n)", loss="F.cross_entropy(table, partners)"),
    filled(_SCRIPT, table="table = (z @ z.t() / 0.2).fill_diagonal_(-1e9)", loss="F.cross_entropy(table, partners)"),
    filled(
        _SCRIPT,
        table="table = z @ z.t() / 0.2\n    table[torch.arange(2 * n), torch.arange(2 * n)] = -1e9",
        loss="F.cross_entropy(table, partners)",
    ),
    filled(
        _SCRIPT,
        table="table = (z @ z.t() / 0.2).masked_fill(torch.eye(2 * n, dtype=torch.bool), -1e9)",
        loss="F.cross_entropy(table, partners)",
    ),
    filled(_APART, table="table = z @ z.t() / 0.2", loss="F.cross_entropy(table, torch.arange(2 * n))"),
    filled(_SCRIPT, table="table = a @ b.t() / 0.2", loss="F.cross_entropy(table, torch.arange(n))"),
    filled(_APART, table="table = a @ b.t() / 0.2", loss="F.cross_entropy(table, torch.arange(n).roll(1))"),
)
