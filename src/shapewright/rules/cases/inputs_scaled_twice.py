"""Cases of SW378."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Pictures(Dataset):
    def __init__(self):
        self.held = torch.randint(0, 256, (48, 1, 12, 12), dtype=torch.uint8)
    def __len__(self):
        return len(self.held)
    def __getitem__(self, i):
        x = self.held[i].float() / 255
        x = {scaled}
        return x, int(self.held[i, 0, 0, 0] > 127)
net = nn.Sequential({first}nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(2))
net(torch.zeros(2, 1, 12, 12))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Pictures(), batch_size=12, shuffle=True):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (filled(_SCRIPT, scaled="x / 255", first=""), 19),
    (filled(_SCRIPT, scaled="(x - 127.5) / 64", first=""), 19),
)

SOUND = (
    filled(_SCRIPT, scaled="(x - 0.5) / 0.25", first=""),
    filled(_SCRIPT, scaled="x * 0.3 + 0.1", first=""),
    filled(_SCRIPT, scaled="x / 255", first="nn.BatchNorm2d(1), "),
)
