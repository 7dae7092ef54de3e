"""Cases of SW357."""

CLASSED = """\
import copy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(90, 6)
y = x.sum(1, keepdim=True)
fit = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=20, shuffle=True)
held = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=15)


class Run:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
        self.loss = nn.MSELoss()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.01)
        self.plan = torch.optim.lr_scheduler.ReduceLROnPlateau(self.opt, patience=1)

    def learn(self):
        self.net.train()
        total = 0.0
        for a, b in fit:
            loss = self.loss(self.net(a), b)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(a)
        return total / len(fit.dataset)

    @torch.no_grad()
    def judge(self):
        self.net.eval()
        total = 0.0
        for a, b in held:
            total += self.loss(self.net(a), b).item() * len(a)
        return total / len(held.dataset)

    def go(self):
        best, waited = float("inf"), 0
        for epoch in range(6):
            one, two = self.learn(), self.judge()
            print(epoch, one, two)
{choice}

Run().go()
"""
KEPT = """\
            if {0} < best:
                best, waited = {0}, 0
                kept = copy.deepcopy(self.net.state_dict())
            else:
                waited += 1
                if waited > 3:
                    break
"""
WAITS = """\
            self.plan.step({0})
"""
LOGGED = """\
            if one < best:
                best = one
            if two < 0.01:
                break
"""
PLAIN = """\
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
lowest = None
for epoch in range(5):
    net.train()
    running = 0.0
    for pick in torch.randperm(60).split(20):
        loss = nn.functional.cross_entropy(net(x[:60][pick]), y[:60][pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    running /= 3
    net.eval()
    with torch.no_grad():
        missed = nn.functional.cross_entropy(net(x[60:]), y[60:]).item()
    if lowest is None or {value} < lowest:
        lowest = {value}
        torch.save(net.state_dict(), "best.pt")
    print(epoch, running, missed)
"""

STOP = """\
class Stop:
    def __init__(self):
        self.best, self.waited = float("inf"), 0

    def full(self, value):
        if value < self.best:
            self.best, self.waited = value, 0
        else:
            self.waited += 1
        return self.waited > 3

stop = Stop()
"""
STOPPED = CLASSED.replace("class Run:", STOP + "class Run:").replace(
    "{choice}", "            if stop.full({0}):\n                break"
)

FAULTY = (
    (CLASSED.format(choice=KEPT.format("one")), 44),
    (CLASSED.format(choice=WAITS.format("one")), 44),
    (PLAIN.format(value="running"), 23),
    (CLASSED.format(choice=WAITS.format("one") + KEPT.format("two")), 44),
    (STOPPED.format("one"), 56),
)
# what is held out is judged once, after the weights were chosen
_TESTED_LAST = (
    CLASSED.replace("one, two = self.learn(), self.judge()", "one = two = self.learn()")
    .format(choice=KEPT.format("one"))
    .replace("Run().go()", "run = Run()\nrun.go()\nprint(run.judge())")
)
SOUND = (
    CLASSED.format(choice=KEPT.format("two")),
    CLASSED.format(choice=WAITS.format("two")),
    CLASSED.format(choice=LOGGED),
    CLASSED.replace("one, two = self.learn(), self.judge()", "one, two = self.learn(), 0").format(
        choice=KEPT.format("one")
    ),
    PLAIN.format(value="missed"),
    PLAIN.replace("x[60:]), y[60:]", "x), y").format(value="missed"),
    STOPPED.format("two"),
    _TESTED_LAST,
)
