import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(64, 8)
        self.dec = nn.Linear(8, 64)

    def forward(self, x):
        flat = x.view(x.size(0), -1)
        return self.dec(torch.relu(self.enc(flat))).view_as(x)


pictures = torch.rand(20, 1, 8, 8)
train = TensorDataset(pictures, pictures)
model = Net()

loader = DataLoader(train, batch_size=8, shuffle=True)
criterion = nn.MSELoss()
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
