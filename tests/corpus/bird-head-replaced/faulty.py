import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.fc = nn.Linear(8, 100)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3)))

model = Backbone()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
model.fc = nn.Linear(8, 6)
train = TensorDataset(torch.randn(40, 3, 8, 8), torch.randint(0, 6, (40,)))
for epoch in range(2):
    for x, y in DataLoader(train, batch_size=10):
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
