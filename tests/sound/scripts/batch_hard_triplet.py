"""Batch-hard triplet loss: pairwise distances by broadcasting, mined within the batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import BatchSampler, DataLoader, Dataset, Sampler

torch.manual_seed(0)


class Faces(Dataset):
    def __init__(self, ids=10, per=8):
        self.y = torch.arange(ids).repeat_interleave(per)
        self.x = torch.randn(ids, 1, 12, 12)[self.y] + 0.4 * torch.randn(ids * per, 1, 12, 12)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class PKSampler(Sampler):
    def __init__(self, labels, p, k):
        self.labels, self.p, self.k = labels, p, k

    def __len__(self):
        return 6

    def __iter__(self):
        for _ in range(len(self)):
            batch = []
            for c in torch.randperm(int(self.labels.max()) + 1)[: self.p]:
                members = (self.labels == c).nonzero().flatten()
                batch.extend(members[torch.randperm(len(members))[: self.k]].tolist())
            yield batch


def pairwise(z):
    sq = z.pow(2).sum(dim=1)
    d = sq.unsqueeze(0) - 2 * z @ z.t() + sq.unsqueeze(1)
    return d.clamp(min=1e-12).sqrt()


def batch_hard(z, y, margin=0.3):
    d = pairwise(z)
    same = y.unsqueeze(0) == y.unsqueeze(1)
    eye = torch.eye(len(y), dtype=torch.bool)
    hardest_pos = d.masked_fill(~same | eye, 0).max(dim=1).values
    hardest_neg = d.masked_fill(same, float("inf")).min(dim=1).values
    return F.relu(hardest_pos - hardest_neg + margin).mean()


faces = Faces()
loader = DataLoader(faces, batch_sampler=PKSampler(faces.y, 4, 4))
net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 36, 16))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(4):
    net.train()
    running = 0.0
    for x, y in loader:
        loss = batch_hard(F.normalize(net(x), dim=1), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    net.eval()
    with torch.no_grad():
        z = F.normalize(net(faces.x), dim=1)
        d = torch.cdist(z, z)
        d.fill_diagonal_(float("inf"))
        rank1 = (faces.y[d.argmin(dim=1)] == faces.y).float().mean()
    print(epoch, running / len(loader), rank1.item())
