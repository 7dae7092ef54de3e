"""Cases of SW139."""

from . import filled

_TARGET = """
import torch
torch.manual_seed(0)
q = torch.nn.Linear(4, 3)(torch.randn(8, 4)).detach()
done, reward = torch.zeros(8), torch.randn(8)
{}
print((reward + (1 - done) * best).mean())
"""
_LISTED = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.{rnn}(8, 8, batch_first=True), {last})
print(len(net(torch.randn(3, 5, 4))))
"""
_MODEL = """
import torch
from torch import nn
torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix, self.norm = nn.{mix}, nn.LayerNorm(16)

    def forward(self, x):
        {mixed}
        return self.norm({given})

print(Net()(torch.randn(3, 5, 16)).shape)
"""
_LSTM, _ATTENTION = "LSTM(16, 16, batch_first=True)", "MultiheadAttention(16, 4, batch_first=True)"
_RETURNED = """
import torch
from torch import nn

class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(8, 2), nn.Linear(2, 8)

    def forward(self, x):
        code = self.down(x)
        return self.up(code), code

x = torch.randn(6, 8)
{made}
nn.functional.mse_loss(out, x).backward()
"""
FAULTY = (
    (
        """
import torch
x = torch.randn(4, 3, 5)
parts = [x.max(dim=2), x.max(dim=2)]
torch.cat(parts, dim=1)
""",
        5,
    ),
    (_TARGET.replace("{}", "best = q.max(dim=1)"), 7),
    (_TARGET.replace("{}", "best = 0.9 * q.max(1)"), 6),
    (filled(_LISTED, rnn="LSTM", last="nn.Linear(8, 2)"), 6),
    (filled(_LISTED, rnn="GRU", last="nn.ReLU()"), 6),
    (filled(_MODEL, mix=_LSTM, mixed="h = self.mix(x)", given="h"), 13),
    (filled(_MODEL, mix=_ATTENTION, mixed="h = x.relu()", given="h + self.mix(h, h, h)"), 13),
    (filled(_RETURNED, made="out = Coder()(x)"), 16),
)

SOUND = (
    filled(_LISTED, rnn="LSTM", last="nn.Identity()"),
    filled(_MODEL, mix=_LSTM, mixed="h, _ = self.mix(x)", given="h"),
    filled(_MODEL, mix=_ATTENTION, mixed="h = x.relu()", given="h + self.mix(h, h, h)[0]"),
    filled(_RETURNED, made="out, _ = Coder()(x)"),
    _TARGET.replace("{}", "best = q.max(dim=1).values"),
    """
import torch
x = torch.randn(4, 3, 5)
values, places = x.max(dim=2)
torch.cat([x.max(dim=2).values, values], dim=1)
""",
)
