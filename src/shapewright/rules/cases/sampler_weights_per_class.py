"""Cases of SW237."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler
torch.manual_seed(0)
x, y = torch.randn(20, 3), (torch.arange(20) > 14).long()
share = 1.0 / torch.bincount(y).float()
sampler = WeightedRandomSampler({weights}, 20)
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=8, sampler=sampler):
    loss = nn.functional.cross_entropy(model(a), b)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = ((_SCRIPT.replace("{weights}", "share"), 8),)

SOUND = (
    _SCRIPT.replace("{weights}", "share[y]"),
    _SCRIPT.replace("{weights}", "[share[k].item() for k in y]"),
)
