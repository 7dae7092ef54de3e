"""Cases of SW345."""

SETUP = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
inner, outer = nn.Linear(12, 6), nn.Linear(3, 12)
opt = torch.optim.Adam([*inner.parameters(), *outer.parameters()], lr=1e-3)
for (x,) in DataLoader(TensorDataset(torch.rand(40, 12)), batch_size=8):
    mu, spread = inner(x).chunk(2, dim=1)
    out = outer(mu + torch.exp(0.5 * spread) * torch.randn_like(mu))
    first = {first}
    second = {second}
    loss = first + second
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

KL = "-0.5 * torch.sum(1 + spread - mu.pow(2) - spread.exp())"


FLOW = """
import torch
from torch import nn
from torch.utils.data import DataLoader
net = nn.Linear(4, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x in DataLoader(torch.randn(32, 4), batch_size=8):
    s = net(x).tanh()
    total = torch.zeros(x.size(0)) + {determinant}
    loss = ({own} - total).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


BOXES = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Linear(6, 9 * 7)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
data = TensorDataset(torch.randn(32, 6), torch.randint(0, 3, (32, 9)), torch.randn(32, 9, 4))
for x, kinds, boxes in DataLoader(data, batch_size=8):
    out = net(x).view(-1, 9, 7)
    found = kinds > 0
    n = found.sum().clamp(min=1)
    first = F.cross_entropy(out[..., :3].flatten(0, 1), kinds.flatten(), reduction="sum") / n
    second = F.smooth_l1_loss(out[..., 3:][found], boxes[found], reduction="sum")PER
    opt.zero_grad()
    (first + second).backward()
    opt.step()
"""

_WIDE = (
    SETUP.replace("Linear(3, 12)", "Linear(3, 48)")
    .replace("Linear(12, 6)", "Linear(48, 6)")
    .replace("(40, 12)", "(40, 48)")
)
_PER_SAMPLE = KL.replace("torch.sum(", "(").replace("exp())", "exp()).sum(1).mean()")
_LIBRARY = (
    "torch.distributions.kl_divergence(torch.distributions.Normal(mu, spread.exp()), "
    "torch.distributions.Normal(torch.zeros(3), torch.ones(3))).sum(-1).mean()"
)

_DIVIDED = ("first + second", "(first + second) / len(x)")
FAULTY = (
    (SETUP.format(first="F.mse_loss(out, x)", second=KL), 12),
    (
        SETUP.format(
            first="((out - x) ** 2).mean()",
            second="F.kl_div(mu.log_softmax(1), x[:, :3].softmax(1), reduction='mean')",
        ),
        12,
    ),
    (FLOW.format(determinant="s.sum()", own="0.5 * (x * s.exp()).pow(2).sum(1)"), 9),
    (BOXES.replace("PER", ""), 15),
    (_WIDE.format(first="F.mse_loss(out, x)", second=KL + " / x.size(0)"), 11),
    (_WIDE.format(first="((out - x) ** 2).mean()", second=_PER_SAMPLE), 11),
    (
        _WIDE.format(
            first="F.smooth_l1_loss(out, x, reduction='none').mean(dim=1).mean()",
            second="(-0.5 * (1 + spread - mu.pow(2) - spread.exp()).sum(1)).mean()",
        ),
        11,
    ),
    (SETUP.format(first="F.mse_loss(out, x)", second=KL).replace(*_DIVIDED), 12),
)

SOUND = (
    _WIDE.format(first="F.mse_loss(out, x, reduction='none').sum(1).mean()", second=_PER_SAMPLE),
    _WIDE.format(first="F.mse_loss(out, x, reduction='none').mean(1).mean()", second="0.02 * " + _PER_SAMPLE),
    _WIDE.format(first="F.mse_loss(out, x)", second="0.01 * " + _PER_SAMPLE),
    _WIDE.format(first="48 * F.mse_loss(out, x)", second=_PER_SAMPLE),
    _WIDE.format(first="F.mse_loss(out, x)", second=KL.replace("torch.sum", "torch.mean")),
    _WIDE.format(first="((out - x) ** 2).sum(1).mean()", second=_LIBRARY),
    _WIDE.format(first="F.mse_loss(out, x)", second="mu.pow(2).sum(1).mean()"),  # a penalty, not a divergence
    BOXES.replace("PER", " / n"),
    FLOW.format(determinant="s.sum(1)", own="0.5 * (x * s.exp()).pow(2).sum(1)"),
    FLOW.format(determinant="(s[:, 0].sum() - s[:, 0]) / 7", own="s[:, 1]"),  # what a sample has less than all together
    FLOW.format(determinant="1e-3 * s.pow(2).sum()", own="0.5 * (x * s.exp()).pow(2).sum(1)"),
    SETUP.format(first="F.mse_loss(out, x, reduction='sum')", second=KL),
    SETUP.format(first="F.mse_loss(out, x, size_average=False)", second=KL),
    SETUP.format(first="F.mse_loss(out, x)", second=KL + " / x.size(0)"),
    SETUP.format(first="F.mse_loss(out, x)", second="1e-3 * " + KL),
    SETUP.format(
        first="((out - x) ** 2).sum(1).mean()",
        second=KL.replace("torch.sum(", "(").replace("exp())", "exp()).sum(1).mean()"),
    ),
    SETUP.format(first="F.mse_loss(out, x)", second="1e-2 * sum(p.pow(2).sum() for p in inner.parameters())"),
    SETUP.format(first="F.mse_loss(out, x, reduction='sum')", second=KL).replace(*_DIVIDED),
)

# one number for each sample, of both terms, and a weight that is warmed up
_EACH = _WIDE.replace("loss = first + second", "loss = (first + {weight} * second).mean()")
_EACH = _EACH.replace("for (x,) in", "for epoch in range(40):\n  for (x,) in").replace("\n    ", "\n      ")
_EACH_KL = KL.replace("torch.sum(", "(").replace("exp())", "exp()).sum(1)")
_WARM = "min(1.0, (epoch + 1) / 8)"
FAULTY += (
    (_EACH.format(first="(out - x).square().mean(1)", second=_EACH_KL, weight="1.0"), 12),
    (_EACH.format(first="(out - x).abs().mean(dim=-1)", second=_EACH_KL, weight=_WARM), 12),
)
SOUND += (
    _EACH.format(first="(out - x).square().sum(1)", second=_EACH_KL, weight="1.0"),
    _EACH.format(first="(out - x).abs().sum(1)", second=_EACH_KL, weight=_WARM),
    _EACH.format(first="(out - x).abs().mean(1)", second=_EACH_KL, weight=f"0.02 * {_WARM}"),
    _EACH.format(first="(out - x).abs().mean(1)", second=_EACH_KL, weight="0.02"),
    _EACH.format(first="(out - x).abs().mean(1)", second=_EACH_KL.replace("sum(1)", "mean(1)"), weight=_WARM),
    _EACH.format(first="48 * (out - x).abs().mean(1)", second=_EACH_KL, weight=_WARM),
)

# the divergence averages over its codes, the reconstruction adds up its values
_MEAN_KL = KL.replace("torch.sum(", "(").replace("exp())", "exp()).mean()")
FAULTY += ((_WIDE.format(first="((out - x) ** 2).sum(1).mean()", second=_MEAN_KL), 12),)
SOUND += (
    _WIDE.format(first="((out - x) ** 2).sum(1).mean()", second="3 * " + _MEAN_KL),
    _WIDE.format(first="((out - x) ** 2).mean(1).mean()", second=_MEAN_KL),
)
