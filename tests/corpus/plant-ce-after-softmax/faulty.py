import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Plant(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(9, 20), nn.Linear(20, 4)

    def forward(self, x):
        return torch.sigmoid(self.b(torch.relu(self.a(x))))

train = TensorDataset(torch.randn(64, 9), torch.randint(0, 4, (64,)))
model = Plant()

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
