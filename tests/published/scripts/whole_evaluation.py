# cause: a cut loop
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

classes = ["a", "b", "c"]
data = TensorDataset(torch.randn(110, 5), torch.arange(110) % 3)
train_loader, test_loader = DataLoader(data, batch_size=20, shuffle=True), DataLoader(data, batch_size=20)
model, criterion = nn.Linear(5, 3), nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
valid_loss_min = np.Inf
for epoch in range(1, 31):
    train_loss = valid_loss = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * x.size(0)
    with torch.no_grad():
        for x, y in test_loader:
            valid_loss += criterion(model(x), y).item() * x.size(0)
    train_loss, valid_loss = train_loss / len(train_loader.sampler), valid_loss / len(test_loader.sampler)
    if valid_loss <= valid_loss_min:
        torch.save(model.state_dict(), "model_cifar.pt")
        valid_loss_min = valid_loss
model.load_state_dict(torch.load("model_cifar.pt"))
class_correct, class_total = [0.0] * 3, [0.0] * 3
preds = []
for x, y in test_loader:
    _, pred = torch.max(model(x), 1)
    preds += pred.tolist()
    correct = np.squeeze(pred.eq(y.data.view_as(pred)).numpy())
    for i in range(len(y)):
        class_correct[y[i]] += correct[i].item()
        class_total[y[i]] += 1
for i in range(3):
    print("Test Accuracy of %5s: %2d%%" % (classes[i], 100 * class_correct[i] / class_total[i]))
assert len(preds) == len(data)
