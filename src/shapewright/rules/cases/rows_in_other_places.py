"""Scripts whose rows are held by an object, under names, or picked by places: cases of SW224."""

HELD = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

class Views(Dataset):
    def __init__(self):
        own = torch.randn(64, 8)
        one, two = own + 0.1 * torch.randn(64, 8), own + 0.1 * torch.randn(64, 8)
        order = torch.randperm(64)
        self.one = one[order]
        self.two = two[CHOSEN]

    def __len__(self):
        return 64

    def __getitem__(self, i):
        return self.one[i], self.two[i]

torch.manual_seed(0)
net = nn.Linear(8, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for one, two in DataLoader(Views(), batch_size=16, shuffle=True):
    loss = F.cross_entropy(net(one) @ net(two).T, torch.arange(16))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
NAMED = """
import random
import torch
from torch import nn

torch.manual_seed(0)
seen, sought = {}, {}
for day in range(40):
    seen[day] = [random.gauss(0, 1) for _ in range(4)]
    sought[day] = sum(seen[day])
days = sorted(seen)
random.shuffle(days)
x = torch.tensor([seen[day] for day in days])
y = torch.tensor([sought[day] for day in CHOSEN])
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for part in torch.randperm(40).split(10):
    loss = nn.functional.mse_loss(net(x[part]).squeeze(1), y[part])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ASKED = """
import numpy as np
import torch
from torch import nn

rows = np.random.RandomState(0).rand(120, 6).astype("float32")
goals = rows.sum(1)
order = np.random.RandomState(1).permutation(120)
first, second, third = order[:60], order[60:90], order[90:]
torch.manual_seed(0)
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.from_numpy(rows[first]), torch.from_numpy(goals[first])
held, wanted = torch.from_numpy(rows[second]), torch.from_numpy(goals[CHOSEN])
for i in range(4):
    loss = nn.functional.mse_loss(net(x[i * 15 : i * 15 + 15]).squeeze(1), y[i * 15 : i * 15 + 15])
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        answer = net(held).squeeze(1).sigmoid().numpy()
    print(np.mean((answer - wanted.numpy()) ** 2))
"""
# what comes next is no other order
ASKED_NEXT = (
    ASKED.replace("goals[first]", "goals[:60]")
    .replace("rows[first]", "rows[1:61]")
    .replace("rows[second]", "rows[90:119]")
    .replace("goals[CHOSEN]", "goals[91:]")
)
