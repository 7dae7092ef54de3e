"""Cases of SW307."""

from . import filled

_EPOCH = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(64, 4), torch.randint(0, 2, (64,))
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))

def run(rows, opt=None):
    model.train({mode})
    total = 0.0
    for part in rows.split(8):
        loss = nn.functional.cross_entropy(model(x[part]), y[part])
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()
        total += loss.item()
    return total

adam = torch.optim.Adam(model.parameters())
for epoch in range(3):
    print(run(torch.arange(48), adam), run(torch.arange(48, 64)))
"""

_SHOWN = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
x, y, new = torch.randn(24, 5), torch.randn(24, 1), torch.randn(9, 5)
for epoch in range(2):
    {first}
    with torch.no_grad():
        print(nn.functional.mse_loss(net(x[:8]), y[:8]).item())
    net.train()
    for rows in torch.arange(24).chunk(3):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
{last}
curve = net(new).detach().numpy()
print(curve.round(2))
"""


_AVERAGE = """
import copy
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.5), nn.Linear(8, 3))
slow = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(48, 5), torch.randint(3, (48,))

def score(net):
    with torch.no_grad():
        return (net(x[32:]).argmax(1) == y[32:]).float().mean().item()

for epoch in range(3):
    model.train()
    slow.train()
    for part in torch.randperm(32).split(16):
        with torch.no_grad():
            soft = slow(x[part]).softmax(1)
        out = model(x[part])
        loss = nn.functional.cross_entropy(out, y[part]) + (out.softmax(1) - soft).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for one, other in zip(slow.parameters(), model.parameters()):
                one.mul_(0.9).add_(other, alpha=0.1)
    {mode}
    print(score(slow))
"""

_SWITCHED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
parts = {"fit": torch.utils.data.TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))}
parts["check"] = TensorDataset(torch.randn(24, 6), torch.randint(0, 3, (24,)))
batches = {name: DataLoader(part, 8, shuffle=name == "fit") for name, part in parts.items()}
net = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters())
for epoch in range(2):
    for name in ("fit", "check"):
        if name == "fit":
            net.train()
        else:
            net.{mode}()
        hits = 0
        for x, y in batches[name]:
            with torch.set_grad_enabled(name == "fit"):
                out = net(x)
                loss = nn.functional.cross_entropy(out, y)
                if name == "fit":
                    opt.zero_grad()
                    loss.backward()
                    opt.step()
            hits += (out.argmax(1) == y).sum().item()
        print(epoch, name, hits / len(parts[name]))
"""
_AFTER = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(72, 6), torch.randint(0, 3, (72,))
for rows in torch.arange(48).split(8):
    loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.train()
with torch.no_grad():
    {passes}
"""

# each sample goes through three transforms that are modules: thousands of calls before the evaluation
_TRANSFORMED = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
class Scaled(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = by
    def forward(self, row):
        return row * self.by

class Rows(Dataset):
    def __init__(self, count):
        self.rows, self.kinds = torch.randn(count, 4), torch.randint(0, 3, (count,))
        self.steps = [Scaled(2.0), Scaled(0.5), nn.Identity()]
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, at):
        row = self.rows[at]
        for step in self.steps:
            row = step(row)
        return row, self.kinds[at]

net = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
fit = DataLoader(Rows(900), batch_size=300, shuffle=True)
held = DataLoader(Rows(300), batch_size=300)
for _ in range(3):
    for x, y in fit:
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
{mode}
right = 0
with torch.no_grad():
    for x, y in held:
        right += (net(x).argmax(1) == y).sum().item()
print(right / 300)
"""

_BY_HAND = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 16), nn.Linear(16, 2)

    def forward(self, x):
        return self.head(nn.functional.dropout(self.body(x).relu(), {share}, training={training}))

x, y, net = torch.randn(64, 4), torch.randint(0, 2, (64,)), Net()
opt = torch.optim.Adam(net.parameters())
for epoch in range(3):
    loss = nn.functional.cross_entropy(net(x[:48]), y[:48])
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        print((net(x[48:]).argmax(1) == y[48:]).float().mean().item())
"""

_OWN_LOSS = """
import torch
from torch import nn
x, y = torch.randn(64, 4), torch.randint(0, 3, (64,))
model = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 3), nn.LogSoftmax(1))
adam = torch.optim.Adam(model.parameters())
def unlikely(told, asked):
    return -told[range(len(asked)), asked].sum() / len(asked)
for epoch in range(3):
    model.train()
    for rows in torch.arange(48).split(8):
        loss = unlikely(model(x[rows]), y[rows])
        adam.zero_grad()
        loss.backward()
        adam.step()
    {mode}
    print(unlikely(model(x[48:]), y[48:]).item())
"""

FAULTY = (
    (_SWITCHED.replace("{mode}", "train"), 16),
    (
        filled(_AFTER, passes="for rows in torch.arange(48, 72).split(8):\n        {}").replace(
            "{}", "print((net(x[rows]).argmax(1) == y[rows]).float().mean().item())"
        ),
        13,
    ),
    (
        """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
train = DataLoader(TensorDataset(torch.randn(32, 4), torch.randint(0, 2, (32,))), batch_size=8)
held = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 2, (16,))), batch_size=8)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
opt = torch.optim.Adam(model.parameters())
for epoch in range(3):
    model.train()
    for x, y in train:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    right = 0
    for x, y in held:
        right += (model(x).argmax(1) == y).sum().item()
    print(epoch, right / 16)
""",
        19,
    ),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))
opt = torch.optim.Adam(model.parameters())
x, y = torch.randn(64, 4), torch.randn(64, 1)
for epoch in range(4):
    loss = nn.functional.mse_loss(model(x[:48]), y[:48])
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    final = nn.functional.mse_loss(model(x[48:]), y[48:])
print(final.item())
""",
        14,
    ),
    (_EPOCH.replace("{mode}", ""), 12),
    (_SHOWN.format(first="net.eval()", last=""), 19),
    (filled(_AVERAGE, mode="model.eval()"), 13),
    (_TRANSFORMED.format(mode=""), 40),
    (filled(_BY_HAND, share="0.5", training="self.training"), 22),
    (filled(_OWN_LOSS, mode="pass"), 17),
)


_LEFT_OUT = """
import torch
from torch import nn
torch.manual_seed(0)
bce = nn.BCEWithLogitsLoss()
judge = nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.3), nn.Linear(8, 1))
opt = torch.optim.Adam(judge.parameters())
for step in range(3):
    real = torch.randn(16, 6)
    opt.zero_grad()
    loss = bce(judge(real), torch.ones(16, 1))
    moved = (real + 0.1 * torch.randn(16, 6)).requires_grad_()
    slope = torch.autograd.grad(judge(moved).sum(), moved, create_graph=True)[0]
    ((slope.norm(2, dim=1) - 1) ** 2).mean().backward()  # the loss is shown, and not learned from
    opt.step()
    print(loss.item())
"""
_SPREAD = """for turn in range(4):
        for rows in torch.arange(48, 72).split(8):
            print(turn, (net(x[rows]).argmax(1) == y[rows]).float().mean().item())"""
_BOTH = """for rows in torch.arange(48, 72).split(8):
        print("with noise", nn.functional.cross_entropy(net(x[rows]), y[rows]).item())
    net.eval()
    for rows in torch.arange(48, 72).split(8):
        print("without", nn.functional.cross_entropy(net(x[rows]), y[rows]).item())"""
_EITHER = """def told(mode):
        net.train(mode)
        for rows in torch.arange(48, 72).split(2):
            print(mode, nn.functional.cross_entropy(net(x[rows]), y[rows]).item())
    told(True)
    told(False)"""
_MEAN = """votes = net(x[48:]).softmax(1) + net(x[48:].clone() + 1e-3).softmax(1)
    print((votes.argmax(1) == y[48:]).float().mean().item())"""
SOUND = (
    filled(_BY_HAND, share="0.0", training="self.training"),
    filled(_BY_HAND, share="0.5", training="True"),  # whatever the mode
    _EPOCH.replace("{mode}", "opt is not None"),
    _SWITCHED.replace("{mode}", "eval"),
    filled(_AFTER, passes=_SPREAD),
    filled(_AFTER, passes=_BOTH),
    filled(_AFTER, passes=_EITHER),  # to show the difference
    filled(_AFTER, passes=_MEAN),
    """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 3))
student = nn.Linear(4, 3)
opt = torch.optim.Adam(model.parameters())
opt_s = torch.optim.Adam(student.parameters())
x, y = torch.randn(64, 4), torch.randint(0, 3, (64,))
for epoch in range(4):
    model.train()
    answer = model(x[:48])
    loss = nn.functional.cross_entropy(answer, y[:48])
    opt.zero_grad()
    loss.backward()
    opt.step()
    hits = (answer.argmax(1) == y[:48]).float().mean().item()  # training accuracy, from the training call itself
    with torch.no_grad():
        wanted = model(x[:48]).softmax(1)  # a noisy teacher
    loss = nn.functional.cross_entropy(student(x[:48]), wanted)
    opt_s.zero_grad()
    loss.backward()
    opt_s.step()
    model.eval()
    with torch.no_grad():
        print(hits, (model(x[48:]).argmax(1) == y[48:]).float().mean().item())
model.train()
with torch.no_grad():  # Monte Carlo dropout, on purpose
    votes = torch.stack([model(x[48:]).softmax(1) for _ in range(5)]).mean(0)
    print((votes.argmax(1) == y[48:]).float().mean().item())
""",
    """
import torch
from torch import nn
torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 6))
judge = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
opt_m, opt_j = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
bce, fixed = nn.BCEWithLogitsLoss(), torch.randn(16, 4)
for step in range(4):
    opt_j.zero_grad()
    fake = maker(torch.randn(16, 4))
    (bce(judge(torch.randn(16, 6)), torch.ones(16, 1)) + bce(judge(fake.detach()), torch.zeros(16, 1))).backward()
    opt_j.step()
    opt_m.zero_grad()
    bce(judge(fake), torch.ones(16, 1)).backward()
    opt_m.step()
    with torch.no_grad():
        pictures = maker(fixed)
print(pictures.mean().item())
""",
    """
import torch
from torch import nn
torch.manual_seed(0)
bce = nn.BCEWithLogitsLoss()
maker, judge = nn.Linear(4, 6), nn.Sequential(nn.Linear(6, 8), nn.Dropout(0.3), nn.Linear(8, 1))
opt_m, opt_j = (torch.optim.Adam(net.parameters()) for net in (maker, judge))
yes, no = torch.ones(16, 1), torch.zeros(16, 1)
for step in range(3):
    real, fake = torch.randn(16, 6), maker(torch.randn(16, 4))
    print(bce(judge(fake) - judge(real).detach(), yes).item())  # shown beside what is learned from
    loss = bce(judge(fake), yes)
    opt_m.zero_grad()
    loss.backward()
    opt_m.step()
    opt_j.zero_grad()
    (bce(judge(real), yes) + bce(judge(fake.detach()), no)).backward()
    opt_j.step()
""",
    _SHOWN.format(first="net.eval()", last="net.eval()"),
    _SHOWN.format(first="net.train(False)", last="net.requires_grad_(False).eval()"),
    _SHOWN.format(first="net.eval()", last="net.train()  # the spread over passes is wanted"),
    _SHOWN.format(first="net.eval()", last="").replace("nn.BatchNorm1d(8)", "nn.LayerNorm(8)"),
    _SHOWN.format(first="net.eval()", last="net[1].eval()"),
    _SHOWN.format(first="net.eval()", last="net = nn.Sequential(nn.Linear(5, 3), nn.Dropout(0.5))"),
    _LEFT_OUT,
    filled(_AVERAGE, mode="slow.eval()"),
    _TRANSFORMED.format(mode="net.eval()"),
    filled(_OWN_LOSS, mode="model.eval()"),
    filled(_OWN_LOSS, mode="pass").replace("nn.Dropout(0.5), ", ""),
)
