"""Cases of SW373."""

from . import filled

_HEADS = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(6, 10)
        self.back = nn.Linear(10, 6)
        self.kind, self.sentence = nn.Linear(10, 3), nn.Linear(10, 2)

    def forward(self, x):
        h = self.enc(x).relu()
        return self.kind(h), self.sentence(h)

net = Net()
x, kinds, sentences = torch.randn(60, 6), torch.randint(0, 3, (60,)), torch.randint(0, 2, (60,))
{before}
for name, p in net.named_parameters():
    if {frozen}:
        p.requires_grad = False
opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=1e-2)
for step in range(4):
    a, b = net(x)
    loss = nn.functional.cross_entropy(a, kinds) + nn.functional.cross_entropy(b, sentences)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_FIRST = """
first = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(4):
    loss = (net.back(net.enc(x).relu()) - x).pow(2).mean()
    first.zero_grad()
    loss.backward()
    first.step()
"""
_LOADED = """
net.load_state_dict({k: v + 0.1 * torch.randn_like(v) for k, v in net.state_dict().items() if "enc" in k}, strict=False)
"""
_READY = """
import torch
import torchvision
from torch import nn
net = torchvision.models.resnet18(weights="DEFAULT")
{made}
for p in net.parameters():
    p.requires_grad = False
{after}
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for step in range(2):
    loss = nn.functional.cross_entropy(net(torch.randn(4, 3, 32, 32)), torch.tensor([0, 1, 2, 0]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_HEAD = "net.fc = nn.Linear(512, 3)"

FAULTY = (
    (filled(_HEADS, before=_FIRST, frozen="'enc' in name"), 29),
    (filled(_HEADS, before=_LOADED, frozen="'enc' not in name"), 24),
)

SOUND = (
    filled(_HEADS, before=_FIRST, frozen="name.startswith('enc')"),
    filled(_HEADS, before=_LOADED, frozen="name.startswith(('enc', 'back'))"),
    # random features, and nothing was learned before
    filled(_HEADS, before="", frozen="'enc' in name").replace("        self.back = nn.Linear(10, 6)\n", ""),
    filled(_READY, made="", after=_HEAD),
    # the low-rank update of a toy: what it adds to is random and stays so
    """
import torch
from torch import nn

class Updated(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(0.1 * torch.randn(base.in_features, 2))
        self.b = nn.Parameter(torch.zeros(2, base.out_features))

    def forward(self, x):
        return self.base(x) + x @ self.a @ self.b

net = nn.Sequential(Updated(nn.Linear(6, 10)), nn.ReLU(), Updated(nn.Linear(10, 3)))
opt = torch.optim.Adam([p for p in net.parameters() if p.requires_grad], lr=1e-2)
for step in range(4):
    loss = nn.functional.cross_entropy(net(torch.randn(16, 6)), torch.randint(0, 3, (16,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
