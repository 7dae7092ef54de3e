# cause: data that are not there
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Remarks(Dataset):
    def __init__(self, file):
        with open(file) as text:
            self.rows = [line.strip().split("\t") for line in text]
        self.kinds = sorted({row[1] for row in self.rows})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        said, kind = self.rows[at]
        letters = torch.tensor([ord(one) % 64 for one in said[:20].ljust(20)])
        return letters, self.kinds.index(kind)


remarks = Remarks("remarks/train.tsv")
loader = DataLoader(remarks, batch_size=16, shuffle=True)
net = nn.Sequential(nn.Embedding(64, 8), nn.Flatten(), nn.Linear(160, len(remarks.kinds)))
optimizer = torch.optim.Adam(net.parameters())
loss_of_these, every = 0.0, 1000
for epoch in range(2):
    for at, (letters, kinds) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(letters), kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss_of_these += loss.item()
        if (at + 1) % every == 0:
            mean = loss_of_these / every
            print(f"{at + 1}: {mean:.3f}")
            loss_of_these = 0.0
    print(f"epoch {epoch}: {mean:.3f}")
