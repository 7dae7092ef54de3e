import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Extractor(nn.Module):
    def __init__(self, out=10):
        super().__init__()
        self.conv = nn.Conv2d(1, 12, 5, stride=2)
        self.pool = nn.AdaptiveAvgPool2d((1, 1))
        self.proj = nn.Linear(12, out)

    def forward(self, x):
        f = self.pool(F.relu(self.conv(x)))
        f = f.flatten(1)
        return self.proj(f)


class Head(nn.Module):
    def __init__(self, n_in=10, n_out=3):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)

    def forward(self, f):
        return F.log_softmax(self.fc(f), dim=1)


torch.manual_seed(3)
y = torch.randint(0, 3, (49,))
x = torch.randn(49, 1, 20, 20) + y.view(-1, 1, 1, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12)
body, head = Extractor(), Head()
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.05)
for epoch in range(2):
    total = 0.0
    for xb, yb in loader:
        loss = F.nll_loss(head(body(xb)), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, "nll", round(total / len(loader), 4))
