# cause: a sample beyond those that are made up
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import ImageFolder

data = ImageFolder("animals/train", transform=transforms.Compose([transforms.Resize((32, 32)), transforms.ToTensor()]))
print(data[150][0].shape)
net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(data, batch_size=8):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
