"""Cases of SW229."""

HOUSES = """
import torch
from torch import nn
torch.manual_seed(0)
area, rooms = torch.rand(60, 1) * 3000 + 200, torch.rand(60, 1) * 6
x = torch.cat([area, rooms], 1)
y = x @ torch.tensor([[0.001], [0.5]])
{between}
net = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=1e-7)
for step in range(3):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

PRICES = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x = torch.rand(200, 4)
price = 90_000 + 40_000 * x @ torch.tensor([1.0, 3.0, 0.5, 2.0])
{between}
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
{after}
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(3):
    for features, wanted in DataLoader(TensorDataset(x, price), batch_size=40, shuffle=True):
        loss = nn.functional.{loss}({output}, wanted)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def _prices(between="", after="", loss="mse_loss", output="net(features).squeeze(1)"):
    return PRICES.format(between=between, after=after, loss=loss, output=output)


_ONE_SCALE = "x = (x - x.mean()) / x.std()"

_PIXELS = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
rng = np.random.default_rng(0)
class Tiles(Dataset):
    def __init__(self):
        self.tiles, self.kinds = rng.integers(0, 256, (48, 3, 12, 12), dtype=np.uint8), rng.integers(0, 2, 48)
    def __len__(self):
        return 48
    def __getitem__(self, at):
        tile = {scaled}
        return torch.from_numpy(tile.astype("float32")), int(self.kinds[at])
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(400, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in DataLoader(Tiles(), batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (HOUSES.format(between=""), 12),
    (_prices(), 14),
    (_prices(loss="l1_loss"), 14),
    (HOUSES.format(between=_ONE_SCALE), 8),
    (_PIXELS.format(scaled="(self.tiles[at] - 0.45) / 0.225"), 18),
)
SOUND = (
    # one unit for all columns, and a fixed scale
    HOUSES.format(between=_ONE_SCALE).replace("rand(60, 1) * 6", "rand(60, 1) * 300"),
    HOUSES.format(between="x = (x - 900) / 600"),
    HOUSES.format(between="x = (x - x.mean(0)) / x.std(0)"),
    HOUSES.format(between="").replace("nn.Sequential(", "nn.Sequential(nn.BatchNorm1d(2), "),
    HOUSES.format(between="x = (x - x.min(0).values) * 0.25").replace("* 3000 + 200", "* 255"),
    _prices(between="price = (price - price.mean()) / price.std()"),
    _prices(between="price = price.log()"),
    _prices(after="with torch.no_grad():\n    net[-1].bias.fill_(price.mean())"),
    _prices(output="price.mean() + price.std() * net(features).squeeze(1)"),
    _prices(between="price = price / 1000"),
    # large steps bring the outputs there
    _prices().replace("torch.optim.Adam(net.parameters(), lr=1e-3)", "torch.optim.SGD(net.parameters(), lr=1e-3)"),
    _PIXELS.format(scaled="(self.tiles[at] / 255 - 0.45) / 0.225"),
    _PIXELS.format(scaled="self.tiles[at]"),
    _PIXELS.format(scaled="(self.tiles[at] - 0.45) / 0.225").replace("Sequential(", "Sequential(nn.BatchNorm2d(3), "),
)
