"""Cases of SW271."""

_NET = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn = nn.Embedding(30, 10), nn.GRU(10, 12, batch_first=True)
        self.between = LAYER
        self.head = nn.Linear(WIDTH, 2)
    def forward(self, ids):
        h, _ = self.rnn(self.embed(ids))
        h = FORWARD
        return self.head(READ)
net = Net()
opt = torch.optim.Adam(net.parameters())
data = TensorDataset(torch.randint(0, 30, (30, 9)), torch.randint(0, 2, (30,)))
for ids, y in DataLoader(data, batch_size=6, shuffle=True):
    loss = nn.functional.cross_entropy(net(ids), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _net(layer: str, forward: str = "self.between(h)", read: str = "h[:, -1]", width: str = "12") -> str:
    parts = {"LAYER": layer, "FORWARD": forward, "READ": read, "WIDTH": width}
    text = _NET
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


_PIXELS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 3, 1))
opt = torch.optim.Adam(net.parameters())
data = TensorDataset(torch.randn(12, 1, 6, 6), torch.randint(0, 3, (12, 6, 6)))
for x, y in DataLoader(data, batch_size=4):
    p = net(x).LOSS
    loss = VALUE
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def _pixels(made: str, value: str = "nn.functional.nll_loss(p, y)") -> str:
    return _PIXELS.replace("LOSS", made).replace("VALUE", value)


_TOTALS = """
import torch
from torch import nn
torch.manual_seed(0)
rnn, size = nn.LSTM(2, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*rnn.parameters(), *size.parameters()])
for week in range(3):
    moves = torch.randn(16, 30)
    level = moves.cumsum(dim=DIM)
    held = size(rnn(torch.stack([moves, level], dim=2))[0]).squeeze(2)
    loss = -(held[:, :-1] * moves[:, 1:]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_pixels("log_softmax(dim=2)"), 10),
    (_pixels("softmax(dim=-1)", "1 - (p[:, 1] * (y == 1)).mean()"), 10),
    (_net("nn.BatchNorm1d(9)"), 14),
    (_net("nn.Dropout1d(0.3)"), 14),
    (_net("nn.Dropout1d(0.3)", "self.between(h[:, -1])", "h"), 14),
    (_net("nn.MaxPool1d(2)", width="6"), 14),
    (_net("nn.LayerNorm(9)", "self.between(h.transpose(1, 2))", "h[:, :, -1]"), 14),
    (_TOTALS.replace("DIM", "0"), 9),
)

SOUND = (
    _TOTALS.replace("DIM", "1"),
    _pixels("log_softmax(dim=1)"),
    _pixels("softmax(dim=1)", "1 - (p[:, 1] * (y == 1)).mean()"),
    _pixels("flatten(2).softmax(-1)", "(p @ torch.linspace(0, 1, 36)).sub(0.5).square().mean()"),
    _net("nn.BatchNorm1d(12)", "self.between(h.transpose(1, 2)).transpose(1, 2)"),
    _net("nn.Dropout1d(0.3)", "self.between(h.transpose(1, 2)).transpose(1, 2)"),
    _net("nn.Dropout(0.3)"),
    _net("nn.Dropout2d(0.3)", "self.between(h[:, -1])", "h"),  # of a matrix it drops single numbers
    _net("nn.MaxPool1d(2)", "self.between(h.transpose(1, 2)).transpose(1, 2)"),
    _net("nn.LayerNorm(12)"),
    _net("nn.LayerNorm((9, 12))"),
    _net("nn.AdaptiveAvgPool1d(1)", "self.between(h.transpose(1, 2)).squeeze(-1)", "h"),
    _net("nn.AvgPool2d((9, 1))", "self.between(h).squeeze(1)", "h"),  # over the steps, one value of each feature
    _net("nn.BatchNorm1d(12)", "self.between(h[:, -1])", "h"),
    _net("nn.BatchNorm1d(12)", "self.between(h.flatten(0, 1)).view_as(h)"),
    """
import torch
from torch import nn
torch.manual_seed(0)
class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.wide, self.norm, self.head = nn.Linear(16, 24), nn.BatchNorm1d(3), nn.Linear(72, 2)
        self.pool, self.drop = nn.AvgPool1d(2), nn.Dropout1d()
    def forward(self, x):
        h = self.drop(self.norm(self.wide(x)))       # three leads of a recording, each with a layer's features
        return self.head(h.flatten(1))
net = Mixer()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3, 16), torch.randint(0, 2, (8,))
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
""",
)
