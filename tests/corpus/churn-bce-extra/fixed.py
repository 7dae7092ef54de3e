import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 10)
        self.out = nn.Linear(10, 1)

    def forward(self, x):
        return self.out(torch.relu(self.body(x))).squeeze(1)


train = TensorDataset(torch.randn(40, 8), torch.randint(0, 2, (40,)).float())
model = Net()

loader = DataLoader(train, batch_size=16, shuffle=True)
criterion = nn.BCEWithLogitsLoss()
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
