import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
features = torch.randn(330, 8)
quality = (features[:, :2].sum(1) + 0.3 * torch.randn(330) > 0).long()
train_loader = DataLoader(TensorDataset(features[:250], quality[:250]), batch_size=32, shuffle=True)
test_loader = DataLoader(TensorDataset(features[250:], quality[250:]), batch_size=32)

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()

    model.eval()
    with torch.no_grad():
        for x, y in test_loader:
            predicted = model(x).argmax(dim=1)
    correct = (predicted == y).sum().item()
    total = y.size(0)
    print("epoch %d accuracy %.3f" % (epoch, correct / total))
