"""Cases of SW391."""

_SCRIPT = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8, bias=False)
        self.out = nn.Linear(8, 3{bias})

    def forward(self, x):
        return self.out(torch.relu(self.body(x)))

torch.manual_seed(0)
nn.functional.cross_entropy(Net()(torch.randn(5, 6)), torch.randint(0, 3, (5,))).backward()
"""

FAULTY = ((_SCRIPT.replace("{bias}", ", bias=False"), 9),)

SOUND = (
    _SCRIPT.replace("{bias}", ""),
    _SCRIPT.replace("{bias}", "").replace(
        "return self.out(torch.relu(self.body(x)))", "return (self.out(self.body(x)) * 2).tanh()"
    ),
)
