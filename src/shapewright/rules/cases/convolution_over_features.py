"""Cases of SW206."""

_NET = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.conv = nn.Conv1d({channels}, 4, kernel_size={kernel})
        self.out = nn.Linear(4, 3)
    def forward(self, ids):
        z = self.embed(ids){turn}
        return self.out(self.conv(z).amax(dim=2))
net = Net()
loss = nn.functional.cross_entropy(net(torch.randint(0, 20, (6, 12))), torch.randint(0, 3, (6,)))
loss.backward()
"""

# a generator whose last layer is linear makes the signals that the layer also reads as data
_SIGNALS = """
import torch
from torch import nn
torch.manual_seed(0)
make = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 24))
class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.kind = nn.Embedding(3, 24)
        self.conv, self.out = nn.Conv1d(2, 4, 5), nn.Linear(4, 1)
    def forward(self, signal, kind):
        both = torch.stack([signal, self.kind(kind)], dim=1)
        return self.out(self.conv(both).relu().mean(2)).squeeze(1)
judge = Judge()
first, second = torch.optim.Adam(judge.parameters()), torch.optim.Adam(make.parameters())
bce = nn.functional.binary_cross_entropy_with_logits
for step in range(3):
    kind = torch.randint(0, 3, (16,))
    real, made = torch.sin(torch.arange(24) * (1 + kind[:, None]) / 4), make(torch.randn(16, 4))
    loss = bce(judge(real, kind), torch.ones(16)) + bce(judge(made.detach(), kind), torch.zeros(16))
    first.zero_grad()
    loss.backward()
    first.step()
    second.zero_grad()
    bce(judge(make(torch.randn(16, 4)), kind), torch.ones(16)).backward()
    second.step()
"""

FAULTY = ((_NET.replace("{channels}", "12").replace("{kernel}", "3").replace("{turn}", ""), 13),)

SOUND = (
    _NET.replace("{channels}", "8").replace("{kernel}", "3").replace("{turn}", ".transpose(1, 2)"),
    _NET.replace("{channels}", "12").replace("{kernel}", "1").replace("{turn}", ""),
    _SIGNALS,
)
