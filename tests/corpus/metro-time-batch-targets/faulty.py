import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Forecast(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(3, 20)
        self.out = nn.Linear(20, 7)

    def forward(self, x):
        h, _ = self.gru(x.transpose(0, 1))
        return self.out(h)

train = TensorDataset(torch.randn(60, 9, 3), torch.randint(0, 7, (60, 9)))
model = Forecast()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for x, y in DataLoader(train, batch_size=15, shuffle=True):
        logits = model(x)
        loss = F.cross_entropy(logits.reshape(-1, 7), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
