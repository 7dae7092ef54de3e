"""Cases of SW374."""

from . import filled

_PAIR = """
import copy
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
x, y = torch.randn(64, 6), torch.randint(0, 3, (64,))
{made}
student = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))

class Both(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher, self.student = teacher.requires_grad_(False), student

    {mode}
    def forward(self, x):
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / 2, 1)
        return F.kl_div(F.log_softmax(self.student(x) / 2, 1), soft, reduction="batchmean")

both = Both()
opt = torch.optim.Adam(student.parameters())
for rows in torch.randperm(64).split(16):
    both.train()
    loss = both(x[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    {after}
"""
_TAUGHT = """
teacher = nn.Sequential(nn.Linear(6, 16), {layer}, nn.ReLU(), nn.Linear(16, 3))
first = torch.optim.Adam(teacher.parameters())
for _ in range(3):
    loss = F.cross_entropy(teacher(x), y)
    first.zero_grad()
    loss.backward()
    first.step()
"""
_FOLLOWS = """for p, q in zip(teacher.parameters(), student.parameters()):
        p.mul_(0.9).add_(q.detach(), alpha=0.1)"""
_ALIKE = "teacher = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3), nn.Dropout(0.1))"

_ONE_LOOP = """
import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))

def fit(net, cost):
    opt = torch.optim.Adam(net.parameters())
    for rows in torch.randperm(96).split(12):
        net.train()
        loss = cost(net(x[rows]), rows)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net

def learn(out, rows):
    return F.cross_entropy(out, y[rows])

def imitate(out, rows):
    with torch.no_grad():
        soft = F.softmax(teacher(x[rows]) / 2, 1)
    return F.kl_div(F.log_softmax(out / 2, 1), soft, reduction="batchmean") + learn(out, rows)

teacher = fit(nn.Sequential(nn.Linear(6, 16), nn.Dropout(0.3), nn.Linear(16, 3)), learn)
teacher.{mode}()
fit(nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 3)), imitate)
"""

FAULTY = (
    (filled(_ONE_LOOP, mode="train"), 23),  # one line trains the teacher and the student
    (filled(_PAIR, made=filled(_TAUGHT, layer="nn.Dropout(0.5)"), mode="", after=""), 27),
    (filled(_PAIR, made=filled(_TAUGHT, layer="nn.BatchNorm1d(16)"), mode="", after=""), 27),
    # a copy of the trained network, such as the reference of a policy
    (
        filled(
            _PAIR, made=filled(_TAUGHT, layer="nn.Dropout(0.5)") + "teacher = copy.deepcopy(teacher)", mode="", after=""
        ),
        27,
    ),
)

SOUND = (
    filled(_ONE_LOOP, mode="eval"),
    filled(
        _PAIR,
        made=filled(_TAUGHT, layer="nn.Dropout(0.5)"),
        mode="def train(self, mode=True): super().train(mode); self.teacher.eval(); return self",
        after="",
    ),
    filled(_PAIR, made=filled(_TAUGHT, layer="nn.LayerNorm(16)"), mode="", after=""),
    filled(_PAIR, made=_ALIKE, mode="", after=_FOLLOWS),  # an average of the student's weights
    filled(_PAIR, made=_ALIKE, mode="", after=""),  # random targets, on purpose
)
