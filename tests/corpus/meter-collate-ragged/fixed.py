import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

from torch.nn.utils.rnn import pad_sequence

class Series(torch.utils.data.Dataset):
    def __len__(self):
        return 20

    def __getitem__(self, i):
        return torch.randn(5 + i % 4, 3), i % 2

def together(batch):
    return pad_sequence([x for x, _ in batch], batch_first=True), torch.tensor([y for _, y in batch])

net = nn.Linear(3, 2)
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(Series(), batch_size=5, collate_fn=together):
    loss = F.cross_entropy(net(x).sum(1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
