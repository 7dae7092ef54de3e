"""Cases of SW306."""

_OWN = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 16), nn.Linear(16, 2)

    def forward(self, x):
        return self.b(nn.functional.dropout(self.a(x).relu(), 0.5, training=self.training))

net = Net()
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(24, 4), torch.randint(0, 2, (24,))

def epoch():
    {again}
    loss = nn.functional.cross_entropy(net(x[:16]), y[:16])
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.eval()
    print(nn.functional.cross_entropy(net(x[16:]), y[16:]).item())

for _ in range(3):
    epoch()
"""

_PARTS = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x))

net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(24, 4), torch.randint(0, 2, (24,))

def fit(frozen):
    for _ in range(2):
        {first}
        if frozen:
            net.body.eval()
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()

net.train()
fit(False)
{between}
fit(True)
"""

_ALWAYS = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(64, 4), torch.randint(0, 2, (64,))

def run(rows, opt=None):
    {switch}
    for i in rows:
        loss = nn.functional.cross_entropy(net(x[i : i + 16]), y[i : i + 16])
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            opt.step()

{load}
for _ in range(3):
    run((0, 16, 32), opt)
    with torch.no_grad():
        run((48,))
"""
_PUT_BACK = "net.load_state_dict({key: value.clone() for key, value in net.state_dict().items()})"

FAULTY = (
    (_OWN.replace("{again}", "pass"), 20),
    (
        """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
opt = torch.optim.Adam(model.parameters())
held = torch.randn(20, 4), torch.randint(0, 2, (20,))

def accuracy():
    model.eval()
    with torch.no_grad():
        return (model(held[0]).argmax(1) == held[1]).float().mean().item()

model.train()
for epoch in range(4):
    for _ in range(3):
        x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, accuracy())
""",
        18,
    ),
    (_PARTS.replace("{first}", "pass").replace("{between}", "net.eval()"), 25),
    (_ALWAYS.format(switch="net.eval()", load=""), 12),
)

SOUND = (
    _ALWAYS.format(switch="net.train(opt is not None)", load=""),
    _ALWAYS.format(switch="net.eval()", load=_PUT_BACK),  # weights from elsewhere, used as they are
    _PARTS.replace("{first}", "net.train()").replace("{between}", "net.eval()"),
    _OWN.replace("{again}", "net.train()"),
    """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))
opt = torch.optim.Adam(model.parameters())
held = torch.randn(20, 4), torch.randint(0, 2, (20,))
for epoch in range(4):
    model.train()
    for _ in range(3):
        x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, (model(held[0]).argmax(1) == held[1]).float().mean().item())
""",
    """
import torch
from torch import nn
body = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU())
head = nn.Linear(16, 2)
body.eval()  # frozen statistics, from the start
opt = torch.optim.Adam([*body.parameters(), *head.parameters()])
for _ in range(5):
    x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
    loss = nn.functional.cross_entropy(head(body(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
    # a body that is frozen in a second round, by a mode that is computed
    """
import torch
from torch import nn
body = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU())
head = nn.Linear(16, 2)
opt = torch.optim.Adam([*body.parameters(), *head.parameters()])
def fit(frozen):
    for _ in range(3):
        body.train(not frozen)
        x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
        loss = nn.functional.cross_entropy(head(body(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
for frozen in (False, True):
    fit(frozen)
""",
    # dropout that is turned off hands the very tensor on that the next step reads
    """
import torch
import torch.nn.functional as F
from torch import nn
class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(6, 16), nn.Linear(16, 3)
    def forward(self, x, near):
        x = F.dropout(x, 0.5, training=self.training)
        return self.out(near @ self.hidden(x).relu())
net, nodes, near = Graph(), torch.randn(20, 6), torch.rand(20, 20).softmax(1)
kinds, opt = torch.randint(0, 3, (20,)), torch.optim.Adam(net.parameters())
for epoch in range(4):
    net.train()
    opt.zero_grad()
    loss = F.cross_entropy(net(nodes, near)[:12], kinds[:12])
    loss.backward()
    opt.step()
    net.eval()
    out = net(nodes, near)
    print(epoch, F.cross_entropy(out[12:], kinds[12:]).item())
""",
)
