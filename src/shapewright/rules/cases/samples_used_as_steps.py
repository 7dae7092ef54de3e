"""Cases of SW267."""

_MODEL = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.back = nn.GRU(3, 6, batch_first=True)
        self.out = nn.Linear(6, 2)

    def forward(self, x):
        return self.out(self.back({x})[1][-1])

model = Net()
for x, y in DataLoader(TensorDataset(torch.randn(30, 7, 3), torch.randint(0, 2, (30,))), batch_size=10, shuffle=True):
    nn.functional.cross_entropy(model(x), y).backward()
"""

_TEXT = """
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(0)
table, rnn, head = nn.Embedding(20, 5), nn.GRU(5, 6, batch_first=True), nn.Linear(6, 20)
for batch in DataLoader(torch.randint(0, 20, (40, 9)), batch_size=10, shuffle=True):
    {cut}
    loss = nn.functional.cross_entropy(head(rnn(table(x))[0]).reshape(-1, 20), y.reshape(-1))
    loss.backward()
"""

_TRACK = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
for x, y in DataLoader(TensorDataset(torch.randn(40, 9, 4), torch.randn(40, 9, 2)), batch_size=10, shuffle={shuffle}):
    out = net(x)
    smooth = {smooth}
    (nn.functional.mse_loss(out, y) + smooth.pow(2).mean()).backward()
"""

FAULTY = (
    (_MODEL.replace("{x}", "x.flip(0)"), 15),
    (_TEXT.replace("{cut}", "x, y = batch[:-1], batch[1:]"), 9),
    (_TRACK.replace("{smooth}", "out[1:] - out[:-1]").replace("{shuffle}", "True"), 10),
    (_TRACK.replace("{smooth}", "out.diff(dim=0)").replace("{shuffle}", "True"), 10),
)

SOUND = (
    _MODEL.replace("{x}", "x.flip(1)"),
    _TEXT.replace("{cut}", "x, y = batch[:, :-1], batch[:, 1:]"),
    _TRACK.replace("{smooth}", "out[:, 1:] - out[:, :-1]").replace("{shuffle}", "True"),
    _TRACK.replace("{smooth}", "out[1:] - out[:-1]").replace("{shuffle}", "False"),
    _TRACK.replace("{smooth}", "(out[1:] - out[:-1]).mean((1, 2)) * (y[:, 0, 0][1:] > y[:, 0, 0][:-1])").replace(
        "{shuffle}", "True"
    ),
    """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Shuffled(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.GRU(3, 6, batch_first=True)
        self.score = nn.Linear(12, 1)

    def forward(self, x):
        steps, last = self.enc(x)
        own = self.score(torch.cat([steps[:, 0], last[-1]], -1))
        other = self.score(torch.cat([steps.roll(1, 0)[:, 0], last[-1]], -1))
        return own, other

model = Shuffled()
for x, _ in DataLoader(TensorDataset(torch.randn(30, 7, 3), torch.zeros(30)), batch_size=10, shuffle=True):
    own, other = model(x)
    (nn.functional.softplus(-own).mean() + nn.functional.softplus(other).mean()).backward()
""",
)
