"""Cases of SW269."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net, conv = nn.Linear(5, 8), nn.Conv1d(5, 8, 3)
x, y = torch.randn(4, 6, 5), torch.randn(4, 6, 8)
{code}
loss.backward()
"""

FAULTY = (
    (_SCRIPT.replace("{code}", "loss = (F.normalize(net(x)) - y).pow(2).mean()"), 8),
    (_SCRIPT.replace("{code}", "loss = 1 - F.cosine_similarity(net(x), y).mean()"), 8),
)

SOUND = (
    _SCRIPT.replace("{code}", "loss = (F.normalize(net(x), dim=-1) - y).pow(2).mean()"),
    _SCRIPT.replace("{code}", "loss = 1 - F.cosine_similarity(net(x), y, dim=1).mean()"),
    _SCRIPT.replace("{code}", "loss = F.normalize(conv(x.transpose(1, 2))).pow(4).mean()"),
    _SCRIPT.replace(
        "{code}",
        "loss = F.normalize(net(x[:, 0])).pow(4).mean() - F.cosine_similarity(net(x).mean(1), y.mean(1)).mean()",
    ),
    _SCRIPT.replace("{code}", "loss = F.normalize(net(x).transpose(1, 2)).pow(4).mean()"),
)
