import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 16)
        self.hidden = [nn.Linear(16, 16) for _ in range(3)]
        self.last = nn.Linear(16, 3)

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.last(x)

train = TensorDataset(torch.randn(64, 6), torch.randint(0, 3, (64,)))
model = Deep()

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
