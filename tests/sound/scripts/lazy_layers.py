import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Flexible(nn.Module):
    """Classifier made at the first forward, as many Kaggle scripts do, run once before the optimiser exists."""
    def __init__(self, classes):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, 2)
        self.fc = None
        self.classes = classes

    def forward(self, x):
        x = F.relu(self.conv(x)).flatten(1)
        if self.fc is None:
            self.fc = nn.Linear(x.size(1), self.classes).to(x.device)
        return self.fc(x)


model = Flexible(3)
model(torch.zeros(1, 3, 15, 15))
lazy = nn.Sequential(nn.LazyConv2d(8, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(3))
lazy(torch.zeros(2, 3, 15, 15))
X, Y = torch.randn(70, 3, 15, 15), torch.randint(0, 3, (70,))
for net in (model, lazy):
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    net.train()
    for epoch in range(2):
        for ix in torch.randperm(70).split(16):
            loss = F.cross_entropy(net(X[ix]), Y[ix])
            opt.zero_grad(); loss.backward(); opt.step()
    print(loss.item())
