"""K-fold cross-validation with a fresh model a fold, SWA, out-of-fold predictions filled by index."""
import torch
import torch.nn as nn
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(0)
K, N = 3, 121
x = torch.randn(N, 6)
y = (x[:, 0] * x[:, 1] > 0).long()
data = TensorDataset(x, y)
folds = torch.randperm(N).chunk(K)
oof = torch.zeros(N, 2)
scores = []
for k in range(K):
    val_idx = folds[k]
    train_idx = torch.cat([folds[j] for j in range(K) if j != k])
    train = DataLoader(Subset(data, train_idx.tolist()), batch_size=16, shuffle=True)
    val = DataLoader(Subset(data, val_idx.tolist()), batch_size=16)
    model = nn.Sequential(nn.Linear(6, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 2))
    swa = AveragedModel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    swa_lr = SWALR(optimizer, swa_lr=0.05)
    for epoch in range(6):
        model.train()
        for xb, yb in train:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(xb), yb)
            loss.backward()
            optimizer.step()
        if epoch >= 4:
            swa.update_parameters(model)
            swa_lr.step()
        else:
            cosine.step()
    update_bn(train, swa)
    swa.eval()
    outs = []
    with torch.no_grad():
        for xb, yb in val:
            outs.append(swa(xb).softmax(dim=1))
    oof[val_idx] = torch.cat(outs)
    scores.append((oof[val_idx].argmax(1) == y[val_idx]).float().mean().item())
print(scores, (oof.argmax(1) == y).float().mean().item())
