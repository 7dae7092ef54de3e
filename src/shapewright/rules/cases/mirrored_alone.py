"""Cases of SW245."""

from . import filled

MASKS = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Scenes(Dataset):
    def __init__(self):
        self.pictures = torch.rand(16, 3, 8, 10)
        self.masks = (self.pictures.sum(1) > 1.5).float()
    def __len__(self):
        return len(self.pictures)
    def __getitem__(self, i):
        picture, mask = self.pictures[i], self.masks[i]
        if torch.rand(()) < 0.5:
            picture = picture.flip(-1)
            mask = mask.flip(-1)
        return picture, mask
net = nn.Conv2d(3, 1, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Scenes(), batch_size=4, shuffle=True):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
POINTS = """
import random
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
class Spots(Dataset):
    def __init__(self):
        rng = np.random.default_rng(0)
        self.points = rng.integers(1, 11, (24, 2))
        self.pictures = rng.uniform(0, 0.3, (24, 12, 12)).astype("float32")
        for picture, (x, y) in zip(self.pictures, self.points):
            picture[y - 1:y + 2, x - 1:x + 2] = 1.0
    def __len__(self):
        return 24
    def __getitem__(self, i):
        picture, point = self.pictures[i], self.points[i].astype("float32") / 12
        if random.random() < 0.5:
            picture = picture[:, ::-1].copy()
        return torch.from_numpy(picture), torch.from_numpy(point)
net = nn.Sequential(nn.Flatten(), nn.Linear(144, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Spots(), batch_size=6):
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

PLAIN = """
import numpy as np
import torch
from torch import nn
rng = np.random.RandomState(0)
def scene():
    picture = rng.rand(10, 16).astype("float32") * 0.2
    x = rng.randint(0, 13)
    picture[3:6, x:x + 3] = 1
    return picture, np.float32([x, 3])
def turn(picture, corner):
    if rng.rand() < 0.5:
        picture = picture[:, ::-1]
    return picture, corner
net = nn.Sequential(nn.Flatten(), nn.Linear(160, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
scenes = [scene() for _ in range(24)]
for k in range(0, 24, 8):
    pictures, corners = zip(*(turn(picture, corner) for picture, corner in scenes[k:k + 8]))
    x, y = torch.tensor(np.stack(pictures)), torch.tensor(np.stack(corners))
    loss = (net(x) - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


_NOISY = MASKS.replace("        return picture, mask", "        return picture + 0.02 * torch.randn(()), mask")
_NOISY = _NOISY.replace("torch.randn(()), mask", "torch.randn_like(picture), mask")

_TWICE = MASKS.replace(
    "        return picture, mask",
    "        if torch.rand(()) < 0.5:\n            picture = picture.flip(-2)\n{mask}        return picture, mask",
)
_TURNED = """
import numpy as np
import torch
from torch import nn
class Tiles(torch.utils.data.Dataset):
    def __init__(self):
        self.tiles = np.random.RandomState(0).rand(24, 12, 12, 3).astype("float32")
        self.kinds = (self.tiles[..., 0] + np.linspace(0, 1, 12)[None, :, None] > 1).astype("int64")
    def __len__(self):
        return 24
    def __getitem__(self, at):
        turns = np.random.randint(4)
        tile, kinds = np.rot90(self.tiles[at], turns), np.rot90(self.kinds[at], {turns})
        return torch.from_numpy(tile.copy()).permute(2, 0, 1), torch.from_numpy(kinds.copy())
net = nn.Conv2d(3, 2, 3, padding=1)
opt = torch.optim.Adam(net.parameters())
for tiles, kinds in torch.utils.data.DataLoader(Tiles(), 8, shuffle=True):
    loss = nn.functional.cross_entropy(net(tiles), kinds)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_GRAINED = """
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Grains(Dataset):
    def __init__(self):
        self.masks = (torch.rand(24, 1, 16, 16) > 0.7).float()
        self.pictures = self.masks + 0.2 * torch.randn(24, 1, 16, 16)
    def __len__(self):
        return len(self.masks)
    def __getitem__(self, i):
        picture, mask = self.pictures[i], self.masks[i]
        if random.random() < 0.5:
            picture, mask = picture.flip(-1), mask.flip(-1)
        if random.random() < 0.5:
            picture = picture.flip(-2){too}
        return 1.1 * picture + 0.1 * torch.randn_like(picture), mask
net = nn.Conv2d(1, 1, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Grains(), batch_size=6, shuffle=True):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_BATCHED = """
import torch
from torch import nn
torch.manual_seed(0)
pictures = torch.rand(16, 3, 8, 10)
masks = (pictures.sum(1, keepdim=True) > 1.5).float()
def mirrored(x, y):
    if torch.rand(1).item() < 0.5:
        x, y = x.flip(-1), y.flip(-1)
    if torch.rand(1).item() < 0.5:
        x = x.flip(-2){too}
    return x, y
net = nn.Conv2d(3, 1, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.randperm(16).split(4):
    x, y = mirrored(pictures[rows], masks[rows])
    loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_OPEN = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
scenes = rng.random((40, 12, 12, 3)).astype("float32")
kinds = (scenes[..., 0] + np.linspace(0, 1, 12)[:, None] > 1).astype("int64")
net = nn.Conv2d(3, 2, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    rows = rng.permutation(40)[:8]
    x, y = scenes[rows], kinds[rows]
    if step % 2:
        x = x[:, :, ::-1]
        {too}
    x, y = torch.tensor(x.copy()).permute(0, 3, 1, 2), torch.tensor(y.copy())
    loss = nn.functional.cross_entropy({out}, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_EYES = (
    POINTS.replace(
        "self.points = rng.integers(1, 11, (24, 2))", "self.eyes = rng.integers(1, 11, (2, 24, 2))\n        {sides}"
    )
    .replace(
        "for picture, (x, y) in zip(self.pictures, self.points):",
        "for picture, (x, y) in zip([*self.pictures] * 2, self.eyes.reshape(48, 2)):",
    )
    .replace('self.points[i].astype("float32") / 12', 'self.eyes[:, i].astype("float32")')
    .replace(
        "            picture = picture[:, ::-1].copy()",
        "            picture = picture[:, ::-1].copy()\n            eyes[:, 0] = 11 - eyes[:, 0]\n            {more}",
    )
    .replace("picture, point =", "picture, eyes =")
    .replace("from_numpy(point)", "from_numpy(eyes / 12)")
    .replace("nn.Linear(144, 2)", "nn.Linear(144, 4), nn.Unflatten(1, (2, 2))")
)
_LEFT_RIGHT = "self.eyes[0, :, 0] //= 3; self.eyes[1, :, 0] = 7 + self.eyes[1, :, 0] // 3"

# drawn one by one into lists, where each picture is mirrored or not before anything is a tensor
_DRAWN = """
import numpy as np
import torch
from torch import nn
rng = np.random.default_rng(0)
torch.manual_seed(0)
seen, where = [], []
for _ in range(96):
    scene, part = rng.normal(0, 0.2, (20, 20)).astype("float32"), np.zeros((20, 20), "float32")
    top, left = rng.integers(0, 13, 2)
    scene[top:top + 6, left:left + 6] += 1.5
    part[top:top + 6, left:left + 6] = 1.0
    if {chance}:
        {turn}
    seen.append(scene)
    where.append(part)
x, y = torch.tensor(np.stack(seen))[:, None], torch.tensor(np.stack(where))[:, None]
net = nn.Conv2d(1, 1, 5, padding=2)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(2):
    for rows in torch.randperm(96).split(16):
        loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

_FOUND = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Spots(Dataset):
    def __init__(self, count):
        self.scenes = torch.randn(count, 1, 24, 24) * 0.2
        self.ends = torch.randint(0, 18, (count, 2))
        for scene, (top, left) in zip(self.scenes, self.ends.tolist()):
            scene[0, top : top + 6, left : left + 6] += {light}
    def __len__(self):
        return len(self.scenes)
    def __getitem__(self, i):
        row, column = ((self.ends[i] + 3) // 4).tolist()
        cells = torch.zeros(3, 6, 6)
        cells[:, {place}] = torch.tensor([1.0, 0.3, 0.7])
        return self.scenes[i]{shown}, cells
net = nn.Sequential(nn.Conv2d(1, 8, 4, 4), nn.ReLU(), nn.Conv2d(8, 3, 3, padding=1))
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(Spots(60), batch_size=20, shuffle=True):
    out = net(x)
    loss = nn.functional.binary_cross_entropy_with_logits(out[:, 0], y[:, 0])
    loss = loss + ((out[:, 1:] - y[:, 1:]).pow(2) * y[:, :1]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (MASKS.replace("            mask = mask.flip(-1)\n", ""), 15),
    (POINTS, 19),
    (PLAIN, 13),
    (_NOISY.replace("            mask = mask.flip(-1)\n", ""), 15),
    (_TWICE.replace("{mask}", ""), 18),
    (MASKS.replace("mask = mask.flip(-1)", "mask = mask.flip(-2)"), 15),
    (_TURNED.replace("{turns}", "-turns"), 13),
    (_GRAINED.replace("{too}", ""), 18),
    (_BATCHED.format(too=""), 11),
    (_OPEN.format(too="pass", out="net(x)"), 17),
    (_OPEN.format(too="y = y[:, ::-1]", out="net(x.flip(-2))"), 17),
    (_EYES.format(sides=_LEFT_RIGHT, more="pass"), 20),
    (filled(_DRAWN, chance="rng.random() < 0.5", turn="scene = scene[:, ::-1].copy()"), 14),
    (filled(_DRAWN, chance="rng.random() < 0.4", turn="part = np.flipud(part).copy()"), 14),
    (filled(_FOUND, light="1.5", place="column, row", shown=""), 17),
)

SOUND = (
    filled(_FOUND, light="1.5", place="row, column", shown=""),
    filled(_FOUND, light="1.5", place="column, row", shown=".mT"),  # pictures as (x, y), too
    filled(_FOUND, light="0.1", place="column, row", shown=""),  # what the grid tells is not in the pictures
    filled(_DRAWN, chance="rng.random() < 0.5", turn="scene, part = scene[:, ::-1].copy(), part[:, ::-1].copy()"),
    filled(_DRAWN, chance="True", turn="scene = scene[:, ::-1].copy()"),  # always: to be mirrored is the task
    filled(_DRAWN, chance="rng.random() < 0.5", turn="scene += 0.3"),
    filled(_DRAWN, chance="rng.random() < 0.5", turn="scene = scene[:, ::-1].copy()").replace("+= 1.5", "+= 0.05"),
    _EYES.format(sides=_LEFT_RIGHT, more="eyes = eyes[::-1].copy()"),
    _EYES.format(sides="", more="pass"),  # neither is the left one
    MASKS,
    PLAIN.replace("[:, ::-1]\n", "[:, ::-1]\n        corner = np.float32([13 - corner[0], corner[1]])\n"),
    # two views of one picture, each mirrored for itself
    MASKS.replace("self.masks = (self.pictures.sum(1) > 1.5).float()", "self.masks = self.pictures[:, 0]").replace(
        "            mask = ", "        if torch.rand(()) < 0.5:\n            mask = "
    ),
    # numbers that do not say where: an age and a height
    POINTS.replace("self.points[i].astype", "np.array([i % 5, i % 7]).astype"),
    POINTS.replace("[:, ::-1].copy()", "[:, ::-1].copy()\n            point[0] = 11 / 12 - point[0]"),
    _NOISY,
    _TWICE.replace("{mask}", "            mask = mask.flip(-2)\n"),
    _TURNED.replace("{turns}", "turns"),
    _GRAINED.replace("{too}", "; mask = mask.flip(-2)"),
    _BATCHED.format(too="; y = y.flip(-2)"),
    _OPEN.format(too="y = y[:, :, ::-1]", out="net(x)"),
    # mirrored for the network, and back again for the loss
    _OPEN.format(too="pass", out="net(x).flip(-1) if step % 2 else net(x)"),
)
