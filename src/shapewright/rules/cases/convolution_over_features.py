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

FAULTY = ((_NET.replace("{channels}", "12").replace("{kernel}", "3").replace("{turn}", ""), 13),)

SOUND = (
    _NET.replace("{channels}", "8").replace("{kernel}", "3").replace("{turn}", ".transpose(1, 2)"),
    _NET.replace("{channels}", "12").replace("{kernel}", "1").replace("{turn}", ""),
)
