"""Cases of SW239."""

_SCRIPT = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Waves(Dataset):
    def __init__(self):
        self.rows = np.random.randn(24, 3).astype(np.float32)
        self.seen = np.zeros(24)

    def __len__(self):
        return 24

    def __getitem__(self, i):
        row = self.rows[i]{copy}
        {change}
        return torch.from_numpy(row)

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(Waves(), batch_size=8):
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{copy}", "").replace("{change}", "row += np.float32(0.1)"), 17),
    (_SCRIPT.replace("{copy}", "").replace("{change}", "row[:2] = row[:2] * 0.5 - 1"), 17),
)

SOUND = (
    _SCRIPT.replace("{copy}", ".copy()").replace("{change}", "row += np.float32(0.1)"),
    _SCRIPT.replace("{copy}", "").replace("{change}", "row = row + np.float32(0.1)"),
    _SCRIPT.replace("{copy}", "").replace("{change}", "self.seen[i] = 1"),
)
