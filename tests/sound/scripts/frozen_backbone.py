"""Fine-tuning: frozen backbone kept in eval, a new head after loading, later unfrozen by adding a parameter group."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Residual(nn.Module):
    def __init__(self, i, o, stride=1):
        super().__init__()
        self.c1, self.b1 = nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o)
        self.c2, self.b2 = nn.Conv2d(o, o, 3, 1, 1, bias=False), nn.BatchNorm2d(o)
        self.short = nn.Sequential(nn.Conv2d(i, o, 1, stride, bias=False), nn.BatchNorm2d(o)) if stride != 1 or i != o else nn.Identity()

    def forward(self, x):
        h = F.relu(self.b1(self.c1(x)))
        return F.relu(self.b2(self.c2(h)) + self.short(x))


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, padding=1)
        self.body = nn.Sequential(Residual(8, 8), Residual(8, 16, 2), Residual(16, 16))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, classes)

    def features(self, x):
        return torch.flatten(self.pool(self.body(self.stem(x))), 1)

    def forward(self, x):
        return self.fc(self.features(x))


def make(n, classes):
    y = torch.randint(0, classes, (n,))
    return TensorDataset(torch.randn(classes, 1, 12, 12)[y] + 0.5 * torch.randn(n, 1, 12, 12), y)


source, target = make(100, 8), make(61, 3)
model = Net(8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
for x, y in DataLoader(source, batch_size=20, shuffle=True):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

state = {k: v for k, v in model.state_dict().items() if not k.startswith("fc.")}
tuned = Net(3)
missing = tuned.load_state_dict(state, strict=False)
assert set(missing.missing_keys) == {"fc.weight", "fc.bias"}
for name, p in tuned.named_parameters():
    p.requires_grad = name.startswith("fc")
optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, tuned.parameters()), lr=1e-2)
loader = DataLoader(target, batch_size=12, shuffle=True)
for epoch in range(4):
    if epoch == 2:
        for p in tuned.body[-1].parameters():
            p.requires_grad = True
        optimizer.add_param_group({"params": tuned.body[-1].parameters(), "lr": 1e-3})
    tuned.eval()  # frozen statistics stay as they are
    tuned.fc.train()
    hits = 0
    for x, y in loader:
        out = tuned(x)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (out.argmax(1) == y).sum().item()
    print(epoch, loss.item(), hits / len(target))
