import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score
from sklearn.model_selection import KFold
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)
y = torch.randint(0, 3, (150,))
x = torch.randn(3, 1, 10, 10)[y] + 1.2 * torch.randn(150, 1, 10, 10)
dataset = TensorDataset(x, y)
backbone_weights = nn.Conv2d(1, 12, 3).state_dict()


def build():
    backbone = nn.Conv2d(1, 12, 3)
    backbone.load_state_dict(backbone_weights)
    for p in backbone.parameters():
        p.requires_grad = False
    return nn.Sequential(backbone, nn.ReLU(), nn.AdaptiveMaxPool2d(3), nn.Flatten(), nn.Dropout(0.3), nn.Linear(108, 3))


def train(model, loader, optimizer, criterion):
    model.train()
    for xb, yb in loader:
        optimizer.zero_grad()
        criterion(model(xb), yb).backward()
        optimizer.step()


@torch.no_grad()
def predict(model, loader):
    model.eval()
    logits = torch.cat([model(xb) for xb, _ in loader])
    return logits.argmax(1), logits.softmax(1)


scores = []
for fold, (tr, te) in enumerate(KFold(3, shuffle=True, random_state=0).split(np.arange(150))):
    model = build()
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.05, momentum=0.9)
    weight = torch.bincount(y[tr], minlength=3).float().reciprocal()
    criterion = nn.CrossEntropyLoss(weight=weight / weight.sum())
    train_loader = DataLoader(Subset(dataset, tr), batch_size=32, shuffle=True)
    test_loader = DataLoader(Subset(dataset, te), batch_size=32)
    best, patience, state = 0.0, 0, None
    for epoch in range(6):
        train(model, train_loader, optimizer, criterion)
        pred, _ = predict(model, test_loader)
        f1 = f1_score(y[te].numpy(), pred.numpy(), average="macro")
        if f1 > best:
            best, patience, state = f1, 0, {k: v.clone() for k, v in model.state_dict().items()}
        else:
            patience += 1
        if patience == 2:
            break
    model.load_state_dict(state)
    scores.append(best)
    print("fold", fold, round(best, 3))
print("mean", round(float(np.mean(scores)), 3))
