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

_JUDGED = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
real, judge, make = torch.randn(24, 3), nn.Linear(3, 1), nn.Linear(2, 3)
opts = [torch.optim.SGD(net.parameters(), lr=0.1) for net in (judge, make)]
for step in range(3):
    fake = make(torch.randn(24, 2))
    ones, zeros = torch.ones(24, 1), torch.zeros(24, 1)
    loss = F.binary_cross_entropy({one}) + F.binary_cross_entropy_with_logits(judge(fake.detach()), zeros)
    opts[0].zero_grad()
    loss.backward()
    opts[0].step()
    loss = F.binary_cross_entropy_with_logits({other})
    opts[1].zero_grad()
    loss.backward()
    opts[1].step()
"""
_JUDGE, _MAKE = "judge(real).sigmoid(), ones", "judge(fake), ones"

FAULTY = (
    (_SCRIPT.replace("{sides}", "t.log_softmax(1), s.softmax(1)"), 9),
    (_JUDGED.format(one=_JUDGE, other="ones, judge(fake)"), 15),
)

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
    _JUDGED.format(one=_JUDGE, other=_MAKE),
    _SCRIPT.replace('kl_div({sides}, reduction="batchmean")', "cross_entropy(s, s.softmax(1))"),
    _SCRIPT.replace("{sides}", "s.log_softmax(1), net(x.flip(0)).softmax(1)"),
)
