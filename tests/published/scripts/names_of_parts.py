# cause: file names that are taken apart
import os

import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class Pets(Dataset):
    def __init__(self, root):
        files = [os.path.join(root, name) for name in os.listdir(root)]
        self.files = sorted(files, key=lambda f: int(f.split(".")[-2]))
        self.turn = transforms.Compose([transforms.Resize((32, 32)), transforms.ToTensor()])

    def __len__(self):
        return len(self.files)

    def __getitem__(self, at):
        return self.turn(Image.open(self.files[at])), 1 if "dog" in self.files[at] else 0


net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Pets("./pets/train/"), batch_size=8):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
