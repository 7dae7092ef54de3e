# cause: an old interface
import torch
import torch.nn as nn
from torchvision import datasets, transforms

held = datasets.CIFAR10("photos", train=True, download=True, transform=transforms.ToTensor())
spread = (held.train_data / 255.0).var()
few = [at for at, kind in enumerate(held.train_labels) if kind < 3][:64]
loader = torch.utils.data.DataLoader(torch.utils.data.Subset(held, few), batch_size=16, shuffle=True)
net = nn.Sequential(nn.Conv2d(3, 8, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(8, 3, 4, 2, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for pictures, _ in loader:
    optimizer.zero_grad()
    loss = ((net(pictures) - pictures) ** 2).mean() / float(spread)
    loss.backward()
    optimizer.step()
