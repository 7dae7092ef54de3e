# cause: listed pictures that are absent
import glob
import os

import numpy as np
import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader, Dataset, random_split


class Pictures(Dataset):
    def __init__(self, folder, size=16):
        self.files = sorted(glob.glob(os.path.join(folder, "*.jpg")))
        if not self.files:
            raise RuntimeError(f"no pictures in {folder}")
        self.size = size

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        image = Image.open(self.files[index]).convert("RGB").resize((self.size, self.size))
        label = 1.0 if os.path.basename(self.files[index]).startswith("dog") else 0.0
        return torch.from_numpy(np.array(image)).permute(2, 0, 1).float() / 255, torch.tensor(label)


dataset = Pictures("data/pets")
train_set, val_set = random_split(dataset, [len(dataset) - 3, 3])
loader = DataLoader(train_set, batch_size=4, shuffle=True)
net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 1))
opt = torch.optim.Adam(net.parameters())
loss_fn = nn.BCEWithLogitsLoss()
for epoch in range(3):
    for images, labels in loader:
        loss = loss_fn(net(images).squeeze(1), labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, loss.item())
