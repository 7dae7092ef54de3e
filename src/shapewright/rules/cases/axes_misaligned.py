"""Cases of SW208."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(5, 1)
x, weight, y = torch.randn(8, 8, 5), torch.rand(8), torch.randn(8, 8)
per_token = (net(x).squeeze(-1) - y) ** 2
scale = per_token.detach().amax(dim=1)
loss = ({loss}).mean()
loss.backward()
"""

_SCORES = """
import torch
from torch import nn
torch.manual_seed(0)
q, k, v, x = nn.Linear(6, 8), nn.Linear(6, 8), nn.Linear(6, 8), torch.randn(4, 8, 6)
scores = {scores} / 8 ** 0.5
(torch.softmax(scores, dim=-1) @ v(x)).mean().backward()
"""

_APART = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
here, there = (DataLoader(TensorDataset(torch.randn(24, 6) + at), 4, shuffle=True) for at in (0, 1))
net = nn.Linear(6, 3)
for (a,), (b,) in zip(here, there):
    both = torch.cat([net(a), net(b)])
    rows, columns = (both.unsqueeze(at).expand(len(both), len(both), both.size(1)) for at in (0, 1))
    apart = ((rows - columns) ** 2).sum(2)
    near = torch.exp(-apart / apart.detach().mean())
    (near[:4, :4].mean() + near[4:, 4:].mean() - 2 * near[:4, 4:].mean()).backward()
"""

FAULTY = (
    (_SCORES.replace("{scores}", "torch.bmm(q(x), k(x))"), 6),
    (_SCRIPT.replace("{loss}", "per_token / scale"), 9),
    (_SCRIPT.replace("{loss}", "per_token * net(x.transpose(0, 1)).squeeze(-1)"), 9),
    (_SCRIPT.replace("{loss}", "per_token / scale.expand(8, 8)"), 9),
)

SOUND = (
    _SCORES.replace("{scores}", "q(x) @ k(x).transpose(1, 2)"),
    _SCORES.replace("{scores}", "(torch.softmax(q(x), -1) @ k(x))"),
    _SCRIPT.replace("{loss}", "per_token / scale[:, None]"),
    _SCRIPT.replace("{loss}", "per_token * weight"),
    """
import torch
adj = (torch.rand(6, 9, 9) < 0.3).float()
adj = ((adj + adj.transpose(1, 2)) > 0).float()
net = torch.nn.Linear(9, 2)
net(adj).mean().backward()
""",
    """
import torch
adj = (torch.rand(9, 9) < 0.3).float()
adj = ((adj + adj.t()) > 0).float() + torch.eye(9)
d = adj.sum(dim=1).pow(-0.5)
net = torch.nn.Linear(5, 2)
net(d.unsqueeze(1) * adj * d.unsqueeze(0) @ torch.randn(9, 5)).mean().backward()
""",
    """
import torch
adj = torch.rand(9, 9)
d = adj.sum(dim=1)
net = torch.nn.Linear(9, 2)
net(adj / d[:, None] / d).mean().backward()
""",
    """
import torch
x = torch.randn(7, 4, requires_grad=True)
table = x @ x.t()
diag = table.diag().view(-1, 1)
((table - diag).relu() + (table - diag.t()).relu()).mean().backward()
""",
    _APART,
)
