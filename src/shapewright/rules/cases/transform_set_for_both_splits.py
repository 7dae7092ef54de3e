"""Cases of SW243."""

_SCRIPT = """
import copy
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split
torch.manual_seed(0)

class Rows(Dataset):
    def __init__(self, transform=None):
        self.rows, self.transform = torch.randn(24, 3), transform

    def __len__(self):
        return 24

    def __getitem__(self, i):
        return self.transform(self.rows[i]) if self.transform else self.rows[i]

full = Rows(lambda row: row + 0.1 * torch.randn(3))
train_set, val_set = random_split(full, [16, 8])
{own}
val_set.dataset.transform = None
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(train_set, batch_size=8):
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(sum(model(x).sum().item() for x in DataLoader(val_set, batch_size=8)))
"""

FAULTY = ((_SCRIPT.replace("{own}", ""), 21),)

SOUND = (
    _SCRIPT.replace("{own}", "val_set = copy.deepcopy(val_set)"),
    _SCRIPT.replace("{own}", "val_set.dataset = copy.copy(full)"),
    _SCRIPT.replace("{own}", "").replace("val_set.dataset.transform = None", "full.name = 'rows'"),
)
