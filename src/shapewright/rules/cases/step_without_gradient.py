"""Cases of SW302."""

from . import filled
from .parameters_outside_optimizer import JUDGED_FIRST

_FACTORS = """
import torch
from torch import nn
torch.manual_seed(0)
class Adapted(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter({down})
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
    def forward(self, x):
        return self.base(x) + x @ self.down.T @ self.up.T
net = Adapted(nn.Linear(6, 3), 2)
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=0.01)
for step in range(4):
    loss = net(torch.randn(8, 6)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# two networks that learn in turns, and what is frozen while one of them does
_TURNS = """
import torch
from torch import nn
torch.manual_seed(0)
maker, judge = nn.Sequential(nn.Linear(4, 9), nn.ReLU(), nn.Linear(9, 6)), nn.Linear(6, 1)
first, second = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
def held(net, free):
    for p in net.parameters():
        p.requires_grad = free
one, zero, cost = torch.ones(8, 1), torch.zeros(8, 1), nn.BCEWithLogitsLoss()
for _ in range(5):
    {before}
    made = maker(torch.randn(8, 4)){cut}
    loss = cost(judge(torch.randn(8, 6)), one) + cost(judge(made), zero)
    second.zero_grad()
    {back}
    second.step()
    {during}
    loss = cost(judge(maker(torch.randn(8, 4))), one)
    first.zero_grad()
    loss.backward()
    first.step()
    {after}
"""
_BACK = "loss.backward()"

_ZEROS, _HELD = "nn.init.zeros_(self.people.weight)", "net.parameters()"
_SPARSE = JUDGED_FIRST.replace("8)\n", "8, sparse=True)\n").replace("8), nn", "8, sparse=True), nn")
_SPARSE = _SPARSE.replace("Adam({held}", "SparseAdam(net.parameters()")

_AVERAGED = """
import copy
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 1)

    def forward(self, x):
        return self.out(x)


def main():
    net = Net()
    slow = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.SGD({held}.parameters(), lr=0.1)
    for _ in range(4):
        x = torch.randn(8, 3)
        loss = ((net(x) - {goal}) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for kept, new in zip(slow.parameters(), net.parameters()):
                kept.mul_(0.9).add_(new, alpha=0.1)
    return slow(x)


main()
"""

# the average also gives the goal, where no gradients are kept
_FOLLOWED = filled(_AVERAGED, held="HELD", goal="goal").replace(
    "        loss", "        with torch.no_grad():\n            goal = slow(x)\n        loss"
)

FAULTY = (
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    opt.zero_grad()
    opt.step()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    opt.zero_grad()
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    opt.step()
    loss.backward()
""",
        10,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for run in range(2):
    model = nn.Linear(3, 1)
    for step in range(6):
        x = torch.randn(8, 3)
        opt.zero_grad()
        loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
        loss.backward()
        opt.step()
""",
        6,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
words = nn.Embedding(20, 8)
policy, judge = nn.Linear(8, 20), nn.Linear(8, 1)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for step in range(6):
    logits = policy(words(torch.randint(0, 20, (4,))))
    answer = torch.multinomial(logits.softmax(-1), 1).squeeze(1)
    reward = judge(words(answer)).squeeze(1)
    loss = -reward.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        12,
    ),
    (filled(_FACTORS, down="torch.zeros(rank, base.in_features)"), 9),
    (filled(_TURNS, before="", cut="", back=_BACK, during="held(judge, False)", after=""), 18),
    (
        filled(
            _TURNS,
            before="",
            cut=".detach()",
            back="loss.requires_grad and loss.backward()",
            during="held(judge, False)",
            after="",
        ),
        18,
    ),
    (filled(JUDGED_FIRST, start=f"{_ZEROS}; nn.init.zeros_(self.things.weight)", held=_HELD), 9),
    (_SPARSE.replace("{start}", f"{_ZEROS}; nn.init.zeros_(self.things.weight)"), 9),
    (filled(_AVERAGED, held="slow", goal="x.sum(1, keepdim=True)"), 19),
    (
        """
import torch
from torch import nn
net = nn.Linear(3, 1)
free = torch.zeros(3, 1, requires_grad=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    x = torch.randn(8, 3)
    print(net(x).mean().item())
    loss = (x @ free - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        10,
    ),
    (_FOLLOWED.replace("HELD", "slow"), 19),
)

SOUND = (
    _SPARSE.replace("{start}", _ZEROS),
    filled(JUDGED_FIRST, start=_ZEROS, held=_HELD),
    """
import torch
from torch import nn
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
other = torch.optim.Adam(nn.Linear(2, 2).parameters())
opt.step()  # keeps the scheduler's warning away
plan = torch.optim.lr_scheduler.StepLR(opt, 2)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    plan.step()
""",
    """
import torch
from torch.optim.lr_scheduler import LambdaLR
idle, tried = torch.nn.Linear(1, 1), []
for warmup in (40, 80):
    opt = torch.optim.Adam(idle.parameters(), lr=1)
    plan = LambdaLR(opt, lambda step: min(max(step, 1) ** -0.5, step * warmup**-1.5))
    for step in range(200):
        tried.append(opt.param_groups[0]["lr"])
        opt.step()
        plan.step()
print(torch.tensor(tried).max())
""",
    filled(_FACTORS, down="torch.randn(rank, base.in_features)"),
    filled(_FACTORS, down="torch.randn(rank, base.in_features)").replace("x @ self", "(x - x) @ self"),
    filled(_TURNS, before="", cut=".detach()", back=_BACK, during="held(judge, False)", after="held(judge, True)"),
    filled(_TURNS, before="held(judge, True)", cut=".detach()", back=_BACK, during="held(judge, False)", after=""),
    filled(_TURNS, before="", cut=".detach()", back=_BACK, during="", after=""),
    filled(_AVERAGED, held="net", goal="x.sum(1, keepdim=True)"),
    filled(_AVERAGED, held="net", goal="slow(x)"),
    _FOLLOWED.replace("HELD", "net"),
)
