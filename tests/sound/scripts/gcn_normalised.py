import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N, CLASSES = 80, 4


class GCN(nn.Module):
    def __init__(self, nfeat, hid, ncls):
        super().__init__()
        self.w1 = nn.Linear(nfeat, hid, bias=False)
        self.w2 = nn.Linear(hid, ncls, bias=False)

    def forward(self, x, adj):
        h = F.relu(adj @ self.w1(x))
        h = F.dropout(h, 0.5, training=self.training)
        return F.log_softmax(adj @ self.w2(h), dim=1)


class PairNorm(nn.Module):
    def forward(self, x):
        x = x - x.mean(dim=0)
        return x / (x.pow(2).sum(dim=1, keepdim=True).mean() + 1e-6).sqrt()


y = torch.randint(0, CLASSES, (N,))
adj = ((torch.rand(N, N) < torch.where(y[:, None] == y[None], 0.15, 0.02)).float())
adj = ((adj + adj.t()) > 0).float() + torch.eye(N)
deg = adj.sum(dim=1)
d_inv = deg.clamp(min=1).pow(-0.5)
adj = d_inv[:, None] * adj * d_inv[None, :]
x = F.one_hot(y, CLASSES).float() @ torch.randn(CLASSES, 16) + torch.randn(N, 16)
x = PairNorm()(x)
train_mask = torch.rand(N) < 0.5
model = GCN(16, 32, CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-4)
for epoch in range(20):
    model.train()
    out = model(x, adj)
    loss = F.nll_loss(out[train_mask], y[train_mask])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        pred = model(x, adj).argmax(dim=1)
        acc = (pred[~train_mask] == y[~train_mask]).float().mean()
    if epoch % 5 == 4:
        print(epoch, round(loss.item(), 4), round(acc.item(), 3))
