import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 12, padding_idx=0)
        self.gru = nn.GRU(12, 16, batch_first=True)
        self.out = nn.Linear(16, 6)

    def forward(self, ids):
        return self.out(self.gru(self.embed(ids))[0])

notes = [torch.randint(1, 40, (n,)) for n in torch.randint(4, 13, (60,)).tolist()]
ids = nn.utils.rnn.pad_sequence(notes, batch_first=True)
tags = torch.where(ids > 0, ids % 6, 0)
model = Tagger()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in DataLoader(TensorDataset(ids, tags), batch_size=12):
        mask = (x != 0).float()
        per_step = F.cross_entropy(model(x).transpose(1, 2), y, reduction="none")
        loss = (per_step * mask).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
