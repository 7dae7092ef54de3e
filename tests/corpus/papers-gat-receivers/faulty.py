import torch
import torch.nn as nn
import torch.nn.functional as F


class GraphAttentionLayer(nn.Module):
    def __init__(self, in_features, out_features, alpha=0.2):
        super().__init__()
        self.W = nn.Parameter(torch.empty(in_features, out_features))
        self.a = nn.Parameter(torch.empty(2 * out_features, 1))
        nn.init.xavier_uniform_(self.W, gain=1.414)
        nn.init.xavier_uniform_(self.a, gain=1.414)
        self.leakyrelu = nn.LeakyReLU(alpha)
        self.out_features = out_features

    def forward(self, h, adj):
        Wh = torch.mm(h, self.W)
        e = self.leakyrelu(Wh @ self.a[:self.out_features] + (Wh @ self.a[self.out_features:]).T)
        attention = torch.where(adj > 0, e, torch.full_like(e, -9e15))
        attention = F.softmax(attention, dim=0)
        attention = F.dropout(attention, 0.3, training=self.training)
        return torch.matmul(attention, Wh)


class GAT(nn.Module):
    def __init__(self, nfeat, nhid, nclass, heads=4):
        super().__init__()
        self.attentions = nn.ModuleList([GraphAttentionLayer(nfeat, nhid) for _ in range(heads)])
        self.out_att = GraphAttentionLayer(nhid * heads, nclass)

    def forward(self, x, adj):
        x = F.dropout(x, 0.3, training=self.training)
        x = torch.cat([F.elu(att(x, adj)) for att in self.attentions], dim=1)
        return F.log_softmax(self.out_att(x, adj), dim=1)


def citation_graph(n=90, classes=3):
    g = torch.Generator().manual_seed(0)
    y = torch.randint(0, classes, (n,), generator=g)
    prob = torch.where(y[:, None] == y[None, :], 0.12, 0.02)
    adj = (torch.rand(n, n, generator=g) < prob).float()
    adj = ((adj + adj.T + torch.eye(n)) > 0).float()
    x = F.one_hot(y, classes).float() @ torch.randn(classes, 20, generator=g) + 1.2 * torch.randn(n, 20, generator=g)
    return x, adj, y


torch.manual_seed(0)
x, adj, y = citation_graph()
idx_train, idx_val = torch.arange(0, 45), torch.arange(45, 90)
model = GAT(20, 8, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
for epoch in range(30):
    model.train()
    optimizer.zero_grad()
    output = model(x, adj)
    loss = F.nll_loss(output[idx_train], y[idx_train])
    loss.backward()
    optimizer.step()
    if epoch % 10 == 9:
        model.eval()
        with torch.no_grad():
            acc = (model(x, adj)[idx_val].argmax(1) == y[idx_val]).float().mean().item()
        print("epoch", epoch + 1, "loss", round(loss.item(), 4), "val acc", round(acc, 3))
