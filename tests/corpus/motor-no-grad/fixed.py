import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv1d(2, 12, 5, stride=2), nn.ReLU(), nn.Conv1d(12, 24, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        h = self.encoder(x)
        return self.head(h)


torch.manual_seed(0)
y = torch.randint(0, 2, (150,))
t = torch.arange(50).float()
x = torch.stack([torch.sin(t * (0.2 + 0.2 * c)) for c in y.tolist()]).unsqueeze(1).repeat(1, 2, 1) + 0.5 * torch.randn(150, 2, 50)
model = Detector()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for xb, yb in DataLoader(TensorDataset(x, y), batch_size=25, shuffle=True):
        loss = F.cross_entropy(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 4))
