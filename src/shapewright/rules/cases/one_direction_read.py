"""Cases of SW214."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 6, batch_first=True, bidirectional={both})
        self.head = nn.Linear({size}, 2)
    def forward(self, x):
        out, h = self.rnn(x)
        return self.head({read})
net = Net()
loss = nn.functional.cross_entropy(net(torch.randn(7, 5, 4)), torch.randint(0, 2, (7,)))
loss.backward()
"""

FAULTY = ((_SCRIPT.replace("{both}", "True").replace("{size}", "6").replace("{read}", "h[-1]"), 12),)

SOUND = (
    _SCRIPT.replace("{both}", "False").replace("{size}", "6").replace("{read}", "h[-1]"),
    _SCRIPT.replace("{both}", "True").replace("{size}", "12").replace("{read}", "torch.cat((h[-2], h[-1]), 1)"),
    _SCRIPT.replace("{both}", "True").replace("{size}", "18").replace("{read}", "torch.cat((out.mean(1), h[-1]), 1)"),
)
