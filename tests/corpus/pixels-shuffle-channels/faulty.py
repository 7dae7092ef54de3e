import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader


class SRDataset(Dataset):
    def __init__(self, n=32, hr=24, scale=2):
        torch.manual_seed(2)
        coarse = torch.rand(n, 3, 6, 6)
        self.hr = F.interpolate(coarse, size=(hr, hr), mode="bilinear", align_corners=False)
        self.lr = F.avg_pool2d(self.hr, scale)

    def __len__(self):
        return len(self.hr)

    def __getitem__(self, i):
        return self.lr[i], self.hr[i]


class ESPCN(nn.Module):
    def __init__(self, scale_factor=2, num_channels=3):
        super().__init__()
        self.first_part = nn.Sequential(
            nn.Conv2d(num_channels, 16, kernel_size=5, padding=2), nn.Tanh(),
            nn.Conv2d(16, 8, kernel_size=3, padding=1), nn.Tanh(),
        )
        self.last_part = nn.Sequential(
            nn.Conv2d(8, num_channels, kernel_size=3, padding=1),
            nn.PixelShuffle(scale_factor),
        )

    def forward(self, x):
        return self.last_part(self.first_part(x))


loader = DataLoader(SRDataset(), batch_size=8)
torch.manual_seed(0)
model = ESPCN()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(2):
    for lr, hr in loader:
        loss = F.mse_loss(model(lr), hr)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "psnr", round(-10 * torch.log10(loss).item(), 2))
