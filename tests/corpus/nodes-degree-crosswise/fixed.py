import torch
import torch.nn as nn

torch.manual_seed(0)


class GCN(nn.Module):
    def __init__(self, f=6, h=16):
        super().__init__()
        self.l1 = nn.Linear(f, h)
        self.l2 = nn.Linear(h, 1)

    def forward(self, adj, x):
        adj = adj + torch.eye(adj.size(-1))
        adj = adj / adj.sum(dim=1, keepdim=True)
        x = torch.relu(adj @ self.l1(x))
        x = adj @ self.l2(x)
        return x.mean()


graphs = []
for _ in range(40):
    n = int(torch.randint(5, 12, (1,)))
    adj = (torch.rand(n, n) < 0.3).float()
    adj = ((adj + adj.t()) > 0).float()
    feats = torch.randn(n, 6)
    graphs.append((adj, feats, feats[:, 0].mean()))
model = GCN()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    total = 0.0
    for adj, feats, y in graphs:
        loss = (model(adj, feats) - y) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    print("epoch", epoch, "loss", round(total / 40, 4))
