"""Cases of SW370."""

_PIXELS = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
pictures = torch.randn(64, 1, 12, 12)
there = (pictures > 1.2).float()
yes = there.sum()
no = there.numel() - yes
weight = yes / no
net = nn.Conv2d(1, 1, 3, padding=1)
opt = torch.optim.Adam(net.parameters())
for rows in torch.randperm(64).split(16):
    loss = F.binary_cross_entropy_with_logits(net(pictures[rows]), there[rows], pos_weight=weight)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_CLASSES = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def class_weights(labels):
    counts = np.bincount(labels)
    return torch.tensor(counts / counts.sum(), dtype=torch.float32)

rng = np.random.default_rng(0)
labels = rng.choice(4, 400, p=[0.6, 0.25, 0.1, 0.05])
data = TensorDataset(torch.randn(400, 6), torch.from_numpy(labels))
net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
criterion = nn.CrossEntropyLoss(weight=class_weights(labels))
opt = torch.optim.SGD(net.parameters(), 0.1)
for x, y in DataLoader(data, batch_size=80, shuffle=True):
    opt.zero_grad()
    criterion(net(x), y).backward()
    opt.step()
"""

FAULTY = (
    (_PIXELS, 15),
    (_PIXELS.replace("yes / no", "(yes / no).sqrt()"), 15),
    (_PIXELS.replace("> 1.2", "> -1.2"), 15),
    (_CLASSES, 19),
)

SOUND = (
    _CLASSES.replace(
        "choice(4, 400, p=[0.6, 0.25, 0.1, 0.05])", "permutation(np.r_[np.zeros(27, int), np.ones(18, int)])"
    )
    .replace("randn(400", "randn(45")
    .replace("(16, 4)", "(16, 2)"),  # too few to tell
    _PIXELS.replace("yes / no", "no / yes"),
    _PIXELS.replace("yes / no", "torch.tensor(1.0)"),
    _CLASSES.replace("counts / counts.sum()", "counts.sum() / counts"),
    _CLASSES.replace("counts / counts.sum()", "[1.0, 1.0, 1.0, 0.5]"),
    _CLASSES.replace("p=[0.6, 0.25, 0.1, 0.05]", "p=None"),
)
