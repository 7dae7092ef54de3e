import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        w = (q @ k.transpose(-2, -1)) / (C // self.heads) ** 0.5
        w = w.softmax(dim=-1)
        y = (w @ v).reshape(B, T, C)
        return self.out(y)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(5, 24)
        self.attn = Attention(24, 4)
        self.head = nn.Linear(24, 3)

    def forward(self, x):
        h = self.embed(x)
        return self.head((h + self.attn(h)).mean(1))

train = TensorDataset(torch.randn(64, 10, 5), torch.randint(0, 3, (64,)))
model = Net()

loader = DataLoader(train, batch_size=16, shuffle=True)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}")
