"""TextCNN: Conv1d over time after a permute, max over time, EmbeddingBag baseline beside it."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
V, L = 60, 16


class TextCNN(nn.Module):
    def __init__(self, dim=16, n=12, kernels=(2, 3, 4)):
        super().__init__()
        self.emb = nn.Embedding(V, dim)
        self.convs = nn.ModuleList([nn.Conv1d(dim, n, k) for k in kernels])
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(n * len(kernels), 2)

    def forward(self, x):
        x = self.emb(x).permute(0, 2, 1)
        pooled = [F.relu(conv(x)).max(dim=2)[0] for conv in self.convs]
        return self.fc(self.drop(torch.cat(pooled, dim=1)))


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag, self.fc = nn.EmbeddingBag(V, 16, mode="mean"), nn.Linear(16, 2)

    def forward(self, flat, offsets):
        return self.fc(self.bag(flat, offsets))


x = torch.randint(0, V, (161, L))
y = ((x[:, :-1] % 2 == 0) & (x[:, 1:] % 3 == 0)).any(dim=1).long()
loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)
for net in (TextCNN(), Bag()):
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(3):
        net.train()
        for xb, yb in loader:
            if isinstance(net, Bag):
                logits = net(xb.reshape(-1), torch.arange(0, xb.numel(), L))
            else:
                logits = net(xb)
            loss = F.cross_entropy(logits, yb)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            hits = 0
            for xb, yb in loader:
                out = net(xb.reshape(-1), torch.arange(0, xb.numel(), L)) if isinstance(net, Bag) else net(xb)
                hits += (out.argmax(1) == yb).sum().item()
        print(type(net).__name__, epoch, loss.item(), hits / len(y))
