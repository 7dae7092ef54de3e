# cause: more pictures in one batch than are made up
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class Views:
    def __init__(self, change):
        self.change = change

    def __call__(self, picture):
        return [self.change(picture) for _ in range(2)]


change = transforms.Compose([transforms.RandomHorizontalFlip(), transforms.Resize(32), transforms.ToTensor()])
pictures = datasets.STL10("data", split="unlabeled", transform=Views(change), download=True)
loader = DataLoader(pictures, batch_size=192, shuffle=True, drop_last=True)
encoder = nn.Sequential(nn.Conv2d(3, 8, 5, stride=4), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 7 * 7, 16))
optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-4)


def train(epochs=2):
    for epoch in range(epochs):
        for (one, other), _ in loader:
            features = nn.functional.normalize(encoder(torch.cat([one, other])), dim=1)
            alike = features @ features.T / 0.5
            alike = alike.masked_fill(torch.eye(len(features), dtype=torch.bool), -1e9)
            partners = torch.arange(len(features)).roll(len(one))
            loss = nn.functional.cross_entropy(alike, partners)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.3f}")


train()
