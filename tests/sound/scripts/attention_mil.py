"""Attention-based multiple-instance learning: one bag a batch, a softmax over its instances on axis 0 on purpose."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)


class Bags(Dataset):
    def __init__(self, n):
        self.bags = []
        for _ in range(n):
            k = int(torch.randint(5, 15, (1,)))
            x, label = torch.randn(k, 8), torch.randint(0, 2, (1,)).float()
            if label:
                x[:2] += 2
            self.bags.append((x, label))

    def __len__(self):
        return len(self.bags)

    def __getitem__(self, i):
        return self.bags[i]


class GatedAttention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(8, dim), nn.ReLU())
        self.V, self.U, self.w = nn.Linear(dim, dim), nn.Linear(dim, dim), nn.Linear(dim, 1)
        self.cls = nn.Linear(dim, 1)

    def forward(self, x):
        x = x.squeeze(0)
        h = self.feat(x)
        a = self.w(torch.tanh(self.V(h)) * torch.sigmoid(self.U(h)))
        a = F.softmax(a.t(), dim=1)
        z = a @ h
        return self.cls(z), a


train, test = DataLoader(Bags(50), batch_size=1, shuffle=True), DataLoader(Bags(20), batch_size=1)
model = GatedAttention()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.999), weight_decay=1e-4)
for epoch in range(3):
    model.train()
    total = 0.0
    for bag, label in train:
        logit, _ = model(bag)
        loss = F.binary_cross_entropy_with_logits(logit, label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        wrong = sum(((model(bag)[0] > 0).float() != label).item() for bag, label in test)
    print(epoch, total / len(train), wrong / len(test))
