import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)
topic = torch.randint(0, 4, (400,))
centres = torch.randn(4, 30)
left = centres[topic] + 0.5 * torch.randn(400, 30)
other = torch.where(torch.rand(400) < 0.5, topic, (topic + 1) % 4)
right = centres[other] + 0.5 * torch.randn(400, 30)
same = (topic == other).float() * 2 - 1
loader = DataLoader(TensorDataset(left, right, same), batch_size=40, shuffle=True)


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, x):
        return self.net(x)


model = Embedder()
criterion = nn.CosineEmbeddingLoss(margin=0.2)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(6):
    total = 0.0
    for a, b, s in loader:
        optimizer.zero_grad()
        loss = criterion(model(a), model(b), s)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(a)
    print("epoch", epoch, "loss", round(total / 400, 4))
with torch.no_grad():
    sim = torch.cosine_similarity(model(left), model(right))
print("same", round(sim[topic == other].mean().item(), 3), "different", round(sim[topic != other].mean().item(), 3))
