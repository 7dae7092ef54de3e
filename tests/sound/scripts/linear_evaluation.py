"""Linear evaluation: a backbone pretrained on one task is frozen and only a new head learns the second task."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def gratings(n, g):
    """Striped patches; the orientation (8 bins) is the old task, whether stripes are nearer to upright the new one."""
    bins = torch.randint(0, 8, (n,), generator=g)
    theta = torch.pi * (bins + 0.25 + 0.5 * torch.rand(n, generator=g)) / 8
    axis = torch.arange(12).float()
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    wave = xx * theta.cos()[:, None, None] + yy * theta.sin()[:, None, None]
    phase = 6.2832 * torch.rand(n, 1, 1, generator=g)
    img = torch.sin(1.6 * wave + phase) + 0.5 * torch.randn(n, 12, 12, generator=g)
    upright = (theta.cos().abs() > theta.sin().abs()).long()
    return img.unsqueeze(1), bins, upright


def loader(x, y, train):
    return DataLoader(TensorDataset(x, y), batch_size=50, shuffle=train)


backbone = nn.Sequential(
    nn.Conv2d(1, 16, 5, padding=2), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.1),
)


def pretrain(data, epochs=5):
    old_head = nn.Linear(32, 8)
    params = list(backbone.parameters()) + list(old_head.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    backbone.train()
    for epoch in range(epochs):
        total = 0.0
        for x, y in data:
            loss = F.cross_entropy(old_head(backbone(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        print(f"pretraining epoch {epoch}: loss {total / len(data.dataset):.3f}")


def features(x):
    # no gradient is wanted here: the backbone stays as it is
    with torch.no_grad():
        return backbone(x)


def fit_head(head, data, epochs=15):
    opt = torch.optim.Adam(head.parameters(), lr=1e-2)
    for _ in range(epochs):
        for x, y in data:
            loss = F.cross_entropy(head(features(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()


def test_accuracy(head, data):
    hits = 0
    with torch.no_grad():
        for x, y in data:
            hits += (head(features(x)).argmax(dim=1) == y).sum().item()
    return hits / len(data.dataset)


if __name__ == "__main__":
    torch.manual_seed(10)
    g = torch.Generator().manual_seed(10)
    x_old, bins, _ = gratings(1200, g)
    x_new, _, upright = gratings(200, g)
    x_test, _, upright_test = gratings(600, g)

    pretrain(loader(x_old, bins, train=True))
    backbone.requires_grad_(False)
    backbone.eval()  # for good: running statistics and dropout must not move while the head learns

    head = nn.Linear(32, 2)
    fit_head(head, loader(x_new, upright, train=True))
    print(f"linear evaluation, 200 labels: test accuracy {test_accuracy(head, loader(x_test, upright_test, train=False)):.3f}")
