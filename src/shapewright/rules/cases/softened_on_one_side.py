"""Cases of SW353."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
student, teacher = nn.Linear(6, 4), nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
T = 3.0
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    x, y = torch.randn(12, 6), torch.randint(0, 4, (12,))
    with torch.no_grad():
        goal = teacher(x)
    own = student(x)
    loss = {loss}
    loss = 0.5 * loss + 0.5 * F.cross_entropy(own, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_KL = "F.kl_div(F.log_softmax({own}, 1), F.softmax({goal}, 1), reduction='batchmean')"

FAULTY = (
    (filled(_SCRIPT, loss=_KL.format(own="own / T", goal="goal") + " * T * T"), 14),
    (filled(_SCRIPT, loss="F.cross_entropy(own * (1 / T), goal.softmax(1))"), 14),
    (filled(_SCRIPT, loss=_KL.format(own="own", goal="goal / T") + " * T ** 2"), 14),
    (filled(_SCRIPT, loss="F.kl_div((own / T).softmax(1).log(), goal.log_softmax(1), log_target=True)"), 14),
)

SOUND = (
    filled(_SCRIPT, loss=_KL.format(own="own / T", goal="goal / T") + " * T * T"),
    filled(_SCRIPT, loss=_KL.format(own="own", goal="goal") + " * T"),
    filled(_SCRIPT, loss=_KL.format(own="own", goal="goal / 0.5")),
    filled(_SCRIPT, loss=_KL.format(own="own", goal="goal / T")),
    filled(_SCRIPT, loss=_KL.format(own="own / 0.1", goal="goal / 0.04")),
    filled(_SCRIPT, loss="F.cross_entropy(own / T, y)"),
)
