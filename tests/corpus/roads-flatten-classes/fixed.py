import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

NUM_CLASSES = 4


class RoadScenes(Dataset):
    def __init__(self, n=60, size=20, transform=None):
        g = torch.Generator().manual_seed(11)
        self.masks = torch.zeros(n, size, size, dtype=torch.long)
        for i in range(n):
            a, b = torch.randint(3, size - 3, (2,), generator=g).tolist()
            self.masks[i, a:, :] = 1
            self.masks[i, :, b:b + 3] = 2
            self.masks[i, :3, :] = 3
        colours = torch.rand(NUM_CLASSES, 3, generator=g)
        self.images = colours[self.masks].permute(0, 3, 1, 2) + 0.15 * torch.randn(n, 3, size, size, generator=g)
        self.transform = transform

    def __len__(self):
        return len(self.masks)

    def __getitem__(self, idx):
        image, mask = self.images[idx], self.masks[idx]
        if self.transform:
            image = self.transform(image)
        return image, mask


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class SegNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(block(3, 16), nn.MaxPool2d(2), block(16, 32))
        self.up = nn.Sequential(nn.Upsample(scale_factor=2, mode="bilinear", align_corners=False), block(32, 16))
        self.classifier = nn.Conv2d(16, NUM_CLASSES, 1)

    def forward(self, x):
        return self.classifier(self.up(self.down(x)))


torch.manual_seed(0)
loader = DataLoader(RoadScenes(), batch_size=10, shuffle=True)
model = SegNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    hits = pixels = 0
    for images, masks in loader:
        outputs = model(images)
        outputs_flat = outputs.permute(0, 2, 3, 1).reshape(-1, NUM_CLASSES)
        loss = criterion(outputs_flat, masks.view(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += (outputs.argmax(1) == masks).sum().item()
        pixels += masks.numel()
    print(f"epoch {epoch} loss {loss.item():.4f} pixel acc {hits / pixels:.3f}")
