"""Cases of SW305."""

from . import filled

_THAWED = """
import torch
from torch import nn
torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 3)
model = nn.Sequential(body, nn.ReLU(), head)
for p in body.parameters():
    p.requires_grad = False
opt = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()))
for epoch in range(5):
    if epoch == 3:
        print("now the rest")
        for p in body.parameters():
            p.requires_grad = True
        {held}
    x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

# an optimizer that trained all of it before, and steps no more
_BEFORE = """\
def fit(opt):
    opt.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    opt.step()
"""
_EARLIER = _THAWED.replace("body, head =", _BEFORE + "body, head =").replace(
    "for p in body", "fit(torch.optim.SGD(model.parameters(), lr=0.1))\nfor p in body", 1
)

_HEAD_ONLY = """
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
opt = torch.optim.Adam(net[2].parameters())
for step in range(4):
    x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_PICTURE = """
import torch
from torch import nn
torch.manual_seed(0)
judge = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, padding=1))
wanted = judge(torch.rand(1, 3, 12, 12)).mean((2, 3)).detach()
picture = nn.Parameter(torch.zeros(2, 3, 12, 12))
opt = torch.optim.Adam([picture], lr=0.1)
for step in range(5):
    loss = (judge({given}).mean((2, 3)) - wanted).square().mean(){more}
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_LOOSE = """
import torch
from torch import nn

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.place = {made}

    def forward(self, x, more=None):
        return self.inner(x + (self.place if more is None else more)).square()

torch.manual_seed(0)
reader = Reader()
opt = torch.optim.SGD([{held}], lr=0.1)
shared = torch.zeros(1, 4, requires_grad=True)
for step in range(4):
    x = torch.randn(8, 4)
    opt.zero_grad()
    loss = nn.functional.mse_loss(reader(x, {more}), x.flip(1))
    loss.backward()
    opt.step()
    {after}
"""
_ALL = "*reader.parameters()"

_MOVED = """
import torch
from torch import nn
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
body, head = nn.Sequential(nn.Linear(8, 16), nn.ReLU()).to(device), nn.Linear(16, 3).to(device)
{given}
opt = torch.optim.Adam(head.parameters(), lr=1e-3)
for step in range(4):
    x = torch.randn(32, 8).to(device)
    loss = nn.functional.cross_entropy(head(body(x)), x[:, :3].argmax(1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_FUNCTIONS = """
import torch
torch.manual_seed(0)
first, last = torch.randn(6, 5, requires_grad=True), torch.randn(5, 1, requires_grad=True)
opt = torch.optim.SGD([{held}], lr=0.01)
for step in range(4):
    x = torch.randn(8, 6)
    loss = (torch.relu(x @ first) @ last - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step(){also}
"""

# a model that is not called itself: the script calls a method of it
_METHOD = """
import torch
from torch import nn
torch.manual_seed(0)
class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.parts = {kept}
    def energy(self, x):
        for part in self.parts:
            x = x + part(x)
        return (x * self.scale).square().mean()
steps = Steps()
{more}
opt = torch.optim.Adam(steps.parameters(), lr=0.01)
x = torch.randn(40, 3)
for i in range(6):
    opt.zero_grad()
    steps.energy(x[i : i + 8]).backward()
    opt.step()
    {also}
    with torch.no_grad():
        steps.energy(x)
"""
_LISTED = "[nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 3)) for _ in range(2)]"

# a model that is judged, answer by answer, before it learns anything
JUDGED_FIRST = """
import torch
from torch import nn
torch.manual_seed(0)
class Match(nn.Module):
    def __init__(self):
        super().__init__()
        self.people, self.things = nn.Embedding(30, 8), nn.Embedding(40, 8)
        {start}
    def forward(self, person, thing):
        return (self.people(person) * self.things(thing)).sum(-1)
net = Match()
opt = torch.optim.Adam({held}, lr=0.02)
def judged():
    net.eval()
    with torch.no_grad():
        ranks = [net(torch.full((40,), person), torch.arange(40)).topk(5).indices for person in range(30)]
    return sum(int((best == person).any()) for person, best in enumerate(ranks))
print(judged())
net.train()
for step in range(6):
    person, liked, other = torch.randint(30, (16,)), torch.randint(40, (16,)), torch.randint(40, (16,))
    loss = -nn.functional.logsigmoid(net(person, liked) - net(person, other)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(judged())
"""

FAULTY = (
    (
        """
import torch
from torch import nn

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Linear(4, 8)
        self.layers = [nn.Linear(8, 8) for _ in range(3)]
        self.end = nn.Linear(8, 1)

    def forward(self, x):
        x = self.start(x)
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.end(x)

model = Deep()
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x = torch.randn(8, 4)
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        9,
    ),
    (
        """
import torch
from torch import nn
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.Adam(model.parameters())
model[2] = nn.Linear(8, 5)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randint(0, 5, (8,))
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        6,
    ),
    (
        """
import torch
from torch import nn
encoder = nn.GRU(4, 8, batch_first=True)
decoder = nn.Linear(8, 3)
opt = torch.optim.Adam(decoder.parameters())
for step in range(4):
    x, y = torch.randn(8, 5, 4), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(decoder(encoder(x)[1][-1]), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
        6,
    ),
    (_THAWED.replace("{held}", ""), 14),
    (_HEAD_ONLY, 7),
    (filled(_METHOD, kept=_LISTED, more="", also="pass"), 9),
    # what the optimizer holds is no input of the network, which nobody trains
    (_PICTURE.format(given="torch.rand(2, 3, 12, 12)", more=" + picture.square().mean()"), 8),
    (filled(_LOOSE, made="torch.zeros(1, 4, requires_grad=True)", held=_ALL, more="None", after="pass"), 9),
    (filled(_LOOSE, made="torch.rand(4).requires_grad_()", held=_ALL, more="None", after="pass"), 9),
    (filled(_MOVED, given="pass"), 8),
    (_EARLIER.replace("{held}", ""), 19),
    (filled(_FUNCTIONS, held="last", also=""), 5),
    (filled(JUDGED_FIRST, start="pass", held="net.people.parameters()"), 13),
)


SOUND = (
    filled(JUDGED_FIRST, start="self.things.requires_grad_(False)", held="net.people.parameters()"),
    filled(_METHOD, kept=f"nn.ModuleList({_LISTED})", more="", also="pass"),
    filled(_METHOD, kept=_LISTED, more="[part.requires_grad_(False) for part in steps.parts]", also="pass"),
    filled(
        _METHOD,
        kept=_LISTED,
        more="others = torch.optim.SGD([p for part in steps.parts for p in part.parameters()], lr=0.1)",
        also="others.step(), others.zero_grad()",
    ),
    _THAWED.replace("{held}", "opt.add_param_group({'params': body.parameters()})"),
    _EARLIER.replace("{held}", "opt = torch.optim.Adam(model.parameters())"),
    _THAWED.replace("filter(lambda p: p.requires_grad, model.parameters())", "model.parameters()").replace(
        "{held}", ""
    ),
    """
import copy
import torch
from torch import nn
body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
body.load_state_dict(body.state_dict())
model = nn.Sequential(body, nn.Linear(8, 3))
teacher = copy.deepcopy(model)
frozen = nn.Linear(4, 3).requires_grad_(False)
opt = torch.optim.Adam(model[1].parameters())  # only the head is to learn
for step in range(4):
    x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(model(x) + frozen(x), y) + (model(x) - teacher(x)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    """
import torch
from torch import nn
maker, judge = nn.Linear(2, 3), nn.Linear(3, 1)
opt_m, opt_j = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
for step in range(5):
    opt_j.zero_grad()
    (judge(maker(torch.randn(8, 2)).detach()).mean() - judge(torch.randn(8, 3)).mean()).backward()
    opt_j.step()
    opt_m.zero_grad()
    (-judge(maker(torch.randn(8, 2))).mean()).backward()
    opt_m.step()
""",
    _HEAD_ONLY.replace("Adam(net[2].parameters", "Adam(net.parameters"),
    # a head on a body that another optimizer trained first, and on one that was given its weights
    _HEAD_ONLY.replace(
        "opt =",
        "first = torch.optim.Adam(net.parameters()); net(torch.ones(2, 4)).sum().backward(); first.step()\nopt =",
    ),
    _HEAD_ONLY.replace("opt =", "net[0].load_state_dict(nn.Linear(4, 8).state_dict())\nopt ="),
    # a picture is trained, and a network that is not to change judges it
    _PICTURE.format(given="picture", more=""),
    _PICTURE.format(given="torch.sigmoid(picture)", more=" + 0.1 * picture.square().mean()"),
    # the gradients that reach a target network are left alone: it is a copy that follows
    """
import torch
from torch import nn
torch.manual_seed(0)
net, slow = nn.Linear(4, 1), nn.Linear(4, 1)
for old, new in zip(slow.parameters(), net.parameters()):
    old.data.copy_(new.data)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x, gain = torch.randn(16, 4), torch.randn(16, 1)
    loss = (net(x) - gain - 0.9 * slow(x.roll(1, 0))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for old, new in zip(slow.parameters(), net.parameters()):
        old.data.copy_(0.9 * old.data + 0.1 * new.data)
""",
    filled(_LOOSE, made="nn.Parameter(torch.zeros(1, 4))", held=_ALL, more="None", after="pass"),
    filled(_LOOSE, made="torch.zeros(1, 4)", held=_ALL, more="None", after="pass"),
    filled(_LOOSE, made="torch.zeros(4, requires_grad=True)", held=f"{_ALL}, reader.place", more="None", after="pass"),
    filled(
        _LOOSE,
        made="torch.zeros(1, 4, requires_grad=True)",
        held=_ALL,
        more="None",
        after="reader.place.data -= 0.1 * reader.place.grad; reader.place.grad = None",
    ),
    filled(_LOOSE, made="None", held=_ALL, more="shared", after="pass"),
    filled(_MOVED, given="body.requires_grad_(False)"),
    filled(_MOVED, given="body[0].weight.data.copy_(torch.eye(16, 8))"),
    filled(_FUNCTIONS, held="first, last", also=""),
    filled(_FUNCTIONS, held="last", also="; first.data -= 0.01 * first.grad; first.grad = None"),
    """
import torch
from torch import nn


def momentum_step(weights, speeds):
    for weight, speed in zip(weights, speeds):
        speed[:] = 0.9 * speed + weight.grad.data
        weight.data = weight.data - 0.05 * speed


data, criterion = [(torch.randn(16, 8), torch.randint(3, (16,))) for _ in range(6)], nn.CrossEntropyLoss()
net = nn.Sequential(nn.Linear(8, 20), nn.ReLU(), nn.Linear(20, 3))
speeds = [torch.zeros_like(weight) for weight in net.parameters()]
for x, y in data:
    net.zero_grad()
    criterion(net(x), y).backward()
    momentum_step(net.parameters(), speeds)
net = nn.Sequential(nn.Linear(8, 20), nn.ReLU(), nn.Linear(20, 3))
optimizer = torch.optim.Adadelta(net.parameters())
for x, y in data:
    optimizer.zero_grad()
    criterion(net(x), y).backward()
    optimizer.step()
""",
    """
import torch
from torch import nn

words = torch.randint(0, 30, (6, 16, 9))


def make():
    return nn.Sequential(nn.Embedding(30, 12), nn.Flatten(), nn.Linear(96, 30))


net, criterion = make(), nn.CrossEntropyLoss()
criterion(net(words[0][:, :-1]), words[0][:, -1]).backward()
assert all(weight.grad is not None for weight in net.parameters())
net = make()
optimizer = torch.optim.Adam(net.parameters())
for batch in words:
    optimizer.zero_grad()
    criterion(net(batch[:, :-1]), batch[:, -1]).backward()
    optimizer.step()
""",
)
