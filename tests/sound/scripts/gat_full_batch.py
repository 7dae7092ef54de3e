"""Graph attention with a dense adjacency on one graph: softmax over neighbours, masks for train and test nodes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class GATLayer(nn.Module):
    def __init__(self, fin, fout, concat=True):
        super().__init__()
        self.W = nn.Parameter(torch.empty(fin, fout))
        self.a = nn.Parameter(torch.empty(2 * fout, 1))
        nn.init.xavier_uniform_(self.W)
        nn.init.xavier_uniform_(self.a)
        self.fout, self.concat = fout, concat

    def forward(self, h, adj):
        Wh = h @ self.W
        left = Wh @ self.a[: self.fout]
        right = Wh @ self.a[self.fout:]
        e = F.leaky_relu(left + right.T, 0.2)
        att = torch.where(adj > 0, e, torch.full_like(e, -9e15))
        att = F.softmax(att, dim=1)
        att = F.dropout(att, 0.3, training=self.training)
        out = att @ Wh
        return F.elu(out) if self.concat else out


class GAT(nn.Module):
    def __init__(self, fin, hidden, classes, heads=3):
        super().__init__()
        self.heads = nn.ModuleList([GATLayer(fin, hidden) for _ in range(heads)])
        self.out = GATLayer(hidden * heads, classes, concat=False)

    def forward(self, x, adj):
        x = F.dropout(x, 0.3, training=self.training)
        x = torch.cat([h(x, adj) for h in self.heads], dim=1)
        return F.log_softmax(self.out(x, adj), dim=1)


N, C = 60, 4
labels = torch.arange(N) % C
adj = ((torch.rand(N, N) < 0.03) | ((labels[:, None] == labels[None, :]) & (torch.rand(N, N) < 0.3))).float()
adj = ((adj + adj.T + torch.eye(N)) > 0).float()
features = F.one_hot(labels, C).float() + torch.randn(N, C)
perm = torch.randperm(N)
train_idx, val_idx = perm[:30], perm[30:]
model = GAT(C, 8, C)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(40):
    model.train()
    optimizer.zero_grad()
    out = model(features, adj)
    loss = F.nll_loss(out[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        model.eval()
        with torch.no_grad():
            pred = model(features, adj).argmax(dim=1)
        print(epoch + 1, loss.item(), (pred[val_idx] == labels[val_idx]).float().mean().item())
