# cause: listed pictures that are absent
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Cars(Dataset):
    def __init__(self, image_dir, mask_dir):
        self.image_dir, self.mask_dir = image_dir, mask_dir
        self.images = os.listdir(image_dir)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        name = self.images[index]
        image = np.array(Image.open(os.path.join(self.image_dir, name)).convert("RGB").resize((16, 16)), dtype=np.float32)
        mask = np.array(Image.open(os.path.join(self.mask_dir, name.replace(".jpg", "_mask.gif"))).convert("L").resize((16, 16)))
        mask = (mask > 0).astype(np.float32)
        return torch.from_numpy(image).permute(2, 0, 1) / 255, torch.from_numpy(mask)


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
        self.out = nn.Conv2d(7, 1, 1)

    def forward(self, x):
        return self.out(torch.cat((x, self.up(F.relu(self.down(x)))), dim=1))


loader = DataLoader(Cars("data/train_images/", "data/train_masks/"), batch_size=4, shuffle=True)
model, loss_fn = Small(), nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
for epoch in range(3):
    for data, targets in loader:
        targets = targets.unsqueeze(1)
        loss = loss_fn(model(data), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    hits = pixels = 0
    for x, y in loader:
        guess = (torch.sigmoid(model(x)) > 0.5).float()
        hits += (guess == y.unsqueeze(1)).sum()
        pixels += torch.numel(guess)
print(f"Got {hits}/{pixels}")
