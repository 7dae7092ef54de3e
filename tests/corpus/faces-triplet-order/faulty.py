import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class TripletFaces(Dataset):
    def __init__(self, people=8, per_person=10):
        g = torch.Generator().manual_seed(0)
        base = torch.rand(people, 1, 20, 20, generator=g)
        self.images = base.repeat_interleave(per_person, dim=0) + 0.2 * torch.randn(people * per_person, 1, 20, 20, generator=g)
        self.labels = torch.arange(people).repeat_interleave(per_person).tolist()
        self.index = {}
        for i, y in enumerate(self.labels):
            self.index.setdefault(y, []).append(i)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        label = self.labels[i]
        positive = random.choice([j for j in self.index[label] if j != i])
        other = random.choice([y for y in self.index if y != label])
        negative = random.choice(self.index[other])
        return self.images[i], self.images[positive], self.images[negative]


class FaceNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.PReLU(), nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.PReLU(),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(32 * 25, 64), nn.PReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return nn.functional.normalize(self.fc(self.features(x)), dim=1)


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    loader = DataLoader(TripletFaces(), batch_size=16, shuffle=True)
    model = FaceNet()
    criterion = nn.TripletMarginLoss(margin=0.5)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        losses = []
        for anchor, positive, negative in loader:
            optimizer.zero_grad()
            a, p, n = model(anchor), model(positive), model(negative)
            loss = criterion(a, n, p)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print("epoch", epoch, "triplet", round(sum(losses) / len(losses), 4))
