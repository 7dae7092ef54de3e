"""U-Net without padding: skips cropped to the decoder's size, cross-entropy over (B, C, H, W), IoU a class."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)


def double(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3), nn.ReLU(), nn.Conv2d(o, o, 3), nn.BatchNorm2d(o), nn.ReLU())


def crop(t, like):
    dh, dw = t.size(2) - like.size(2), t.size(3) - like.size(3)
    return t[:, :, dh // 2: t.size(2) - (dh - dh // 2), dw // 2: t.size(3) - (dw - dw // 2)]


class UNet(nn.Module):
    def __init__(self, classes=3, w=8):
        super().__init__()
        self.d1, self.d2, self.bottom = double(1, w), double(w, 2 * w), double(2 * w, 4 * w)
        self.u2, self.c2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, 2), double(4 * w, 2 * w)
        self.u1, self.c1 = nn.ConvTranspose2d(2 * w, w, 2, 2), double(2 * w, w)
        self.out = nn.Conv2d(w, classes, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        z = self.bottom(F.max_pool2d(b, 2))
        z = self.u2(z)
        z = self.c2(torch.cat([crop(b, z), z], dim=1))
        z = self.u1(z)
        z = self.c1(torch.cat([crop(a, z), z], dim=1))
        return self.out(z)


images = 0.3 * torch.randn(40, 1, 44, 44)
masks = torch.zeros(40, 44, 44, dtype=torch.long)
for i in range(40):
    r, c = torch.randint(2, 30, (2,)).tolist()
    k = 1 + i % 2
    masks[i, r:r + 12, c:c + 12] = k
    images[i, 0, r:r + 12, c:c + 12] += k
train, val = random_split(TensorDataset(images, masks), [31, 9])
train_loader, val_loader = DataLoader(train, batch_size=6, shuffle=True), DataLoader(val, batch_size=4)
model = UNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.3, 1.0, 1.0]))
for epoch in range(2):
    model.train()
    for x, y in train_loader:
        out = model(x)
        y = crop(y.unsqueeze(1), out).squeeze(1)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    inter, union = torch.zeros(3), torch.zeros(3)
    with torch.no_grad():
        for x, y in val_loader:
            out = model(x)
            y = crop(y[:, None], out)[:, 0]
            pred = out.argmax(dim=1)
            for k in range(3):
                inter[k] += ((pred == k) & (y == k)).sum()
                union[k] += ((pred == k) | (y == k)).sum()
    print(epoch, loss.item(), (inter / union.clamp(min=1)).tolist())
