"""Cases of SW210."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
{setup}
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
{body}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_WEIGHTED = _SCRIPT.replace(
    "{setup}", "net = nn.Linear(5, 1)\nx, y, weight = torch.randn(9, 5), torch.randn(9), torch.rand(9)"
)

_FOCAL = _WEIGHTED.replace(
    "{body}",
    "    cost = F.mse_loss(net(x).squeeze(1), y, reduction='none')\n"
    "    loss = (0.5 * (1 - torch.exp(-cost)) ** 2 * cost).mean()",
)

FAULTY = (
    (_WEIGHTED.replace("{body}", "    loss = (F.mse_loss(net(x).squeeze(1), y) * weight).mean()"), 10),
    (
        _SCRIPT.replace("{setup}", "net = nn.Linear(5, 3)\nx, gain = torch.randn(9, 5), torch.randn(9)").replace(
            "{body}",
            "    d = torch.distributions.Categorical(logits=net(x))\n    loss = -(d.log_prob(d.sample()).mean() * "
            "gain).mean()",
        ),
        11,
    ),
    (_FOCAL.replace("none", "mean"), 11),
)

SOUND = (
    _FOCAL,
    _WEIGHTED.replace(
        "{body}",
        "    spread = net.bias.mean()\n    cost = F.mse_loss(net(x).squeeze(1), y)\n"
        "    loss = cost * torch.exp(-spread) + spread",
    ),
    _WEIGHTED.replace("{body}", "    loss = (F.mse_loss(net(x).squeeze(1), y, reduction='none') * weight).mean()"),
    _WEIGHTED.replace("{body}", "    loss = F.mse_loss(net(x).squeeze(1), y) * weight.mean()"),
    _WEIGHTED.replace(
        "{body}", "    tasks = torch.ones(3)\n    loss = (F.mse_loss(net(x).squeeze(1), y) * tasks).sum()"
    ),
)
