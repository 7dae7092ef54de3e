import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Solar(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 12, batch_first=True)
        self.fc = nn.Linear(12, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1]).squeeze()

train = TensorDataset(torch.randn(70, 8, 4), torch.randn(70, 1))
model = Solar()

loader = DataLoader(train, batch_size=16, shuffle=True)
criterion = nn.L1Loss()
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
