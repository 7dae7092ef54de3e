"""Cases of SW213."""

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
net, teacher = nn.Linear(5, 4), nn.Linear(5, 4).requires_grad_(False)
x = torch.randn(8, 5)
s, t = net(x), teacher(x)
loss = F.kl_div({sides}, reduction="batchmean")
loss.backward()
"""

FAULTY = ((_SCRIPT.replace("{sides}", "t.log_softmax(1), s.softmax(1)"), 9),)

SOUND = (
    """
import torch
from torch import nn
prior, post = nn.Linear(4, 3), nn.Linear(4, 3)
x = torch.randn(7, 4)
p, q = prior(x).log_softmax(-1), post(x).softmax(-1)
(nn.functional.kl_div(p.detach(), q, reduction="batchmean") + nn.functional.kl_div(p, q.detach(),
    reduction="batchmean")).backward()
""",
    _SCRIPT.replace("{sides}", "s.log_softmax(1), t.softmax(1)"),
    _SCRIPT.replace("{sides}", "s.log_softmax(1), net(x.flip(0)).softmax(1)"),
)
