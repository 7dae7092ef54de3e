"""PGD adversarial training and TRADES: gradients with respect to the input, eval inside the attack, train after it; a saliency map at the end."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPS, ALPHA, STEPS = 0.2, 0.08, 3


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU())
        self.se = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(16, 4, 1), nn.ReLU(), nn.Conv2d(4, 16, 1), nn.Sigmoid())
        self.spatial = nn.Conv2d(2, 1, 5, padding=2)
        self.fc = nn.Linear(16, 3)

    def forward(self, x):
        h = self.conv(x)
        h = h * self.se(h)
        pooled = torch.cat([h.mean(dim=1, keepdim=True), h.max(dim=1, keepdim=True)[0]], dim=1)
        h = h * torch.sigmoid(self.spatial(pooled))
        return self.fc(h.mean(dim=(2, 3)))


def attack(model, x):
    model.eval()
    with torch.no_grad():
        clean = F.softmax(model(x), dim=1)
    adv = x + 0.001 * torch.randn_like(x)
    for _ in range(STEPS):
        adv.requires_grad_()
        loss = F.kl_div(F.log_softmax(model(adv), dim=1), clean, reduction="sum")
        grad = torch.autograd.grad(loss, adv)[0]
        adv = (adv.detach() + ALPHA * grad.sign()).clamp(min=x - EPS, max=x + EPS)
    model.train()
    return adv.detach()


y = torch.randint(0, 3, (90,))
x = torch.randn(3, 1, 8, 8)[y] + 0.4 * torch.randn(90, 1, 8, 8)
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
model = Small()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=2e-4)
for epoch in range(2):
    for xb, yb in loader:
        adv = attack(model, xb)
        logits = model(xb)
        robust = F.kl_div(F.log_softmax(model(adv), dim=1), F.softmax(logits, dim=1), reduction="batchmean")
        loss = F.cross_entropy(logits, yb) + 3.0 * robust
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        clean = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    print(epoch, loss.item(), clean)
model.eval()
probe = x[:4].clone().requires_grad_(True)
model(probe).gather(1, y[:4, None]).sum().backward()
print(probe.grad.abs().amax(dim=1).mean(dim=(1, 2)))
