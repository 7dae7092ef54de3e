"""A small picture classifier whose graph is traced before and after training, once to draw it and once to ship it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self, kinds):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Dropout(0.1)
        )
        self.head = nn.Linear(8 * 5 * 5, kinds)

    def forward(self, pictures):
        maps = self.body(pictures)
        return self.head(maps.view(maps.size(0), -1))


torch.manual_seed(0)
kinds = torch.randint(0, 3, (96,))
pictures = torch.rand(96, 1, 10, 10)
pictures[torch.arange(96), 0, kinds * 3] += 1
model = Classifier(3)
example = torch.rand(1, 1, 10, 10)
drawn = torch.jit.trace(model, example)
print(len(list(drawn.graph.nodes())), "nodes")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(3):
    model.train()
    for x, y in DataLoader(TensorDataset(pictures, kinds), batch_size=16, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
model.eval()
with torch.no_grad():
    shipped = torch.jit.trace(model, example)
    print(shipped(pictures).argmax(1).eq(kinds).float().mean().item())
