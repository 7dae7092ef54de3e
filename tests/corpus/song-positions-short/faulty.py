import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(40, 12)
        self.pos = nn.Embedding(12, 12)
        self.fc = nn.Linear(12, 2)

    def forward(self, x):
        p = torch.arange(x.size(1))
        h = self.embed(x) + self.pos(p)
        return self.fc(h.mean(1))


train = TensorDataset(torch.randint(0, 40, (32, 16)), torch.randint(0, 2, (32,)))
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
