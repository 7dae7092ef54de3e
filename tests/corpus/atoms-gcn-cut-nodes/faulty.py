import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
NODES, FEATURES, CLASSES = 60, 10, 3


def load_graph():
    labels = torch.arange(NODES) % CLASSES
    same = (labels.unsqueeze(0) == labels.unsqueeze(1)).float()
    prob = 0.25 * same + 0.03 * (1 - same)
    adj = (torch.rand(NODES, NODES) < prob).float()
    adj = ((adj + adj.t()) > 0).float()
    feats = F.one_hot(labels, FEATURES).float() + torch.randn(NODES, FEATURES)
    return adj, feats, labels


def normalize_adj(adj):
    adj = adj + torch.eye(adj.size(0))
    d = adj.sum(dim=1).pow(-0.5)
    return d.unsqueeze(1) * adj * d.unsqueeze(0)


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        support = torch.mm(x, self.weight)
        return torch.mm(adj, support)


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)

    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        return F.log_softmax(self.gc2(x, adj), dim=1)


adj, features, labels = load_graph()
adj = normalize_adj(adj)
idx_train = torch.arange(0, 48)
idx_val = torch.arange(48, 60)
model = GCN(FEATURES, 16, CLASSES)
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-4)

for epoch in range(6):
    model.train()
    optimizer.zero_grad()
    output = model(features[idx_train], adj)
    loss_train = F.nll_loss(output, labels[idx_train])
    loss_train.backward()
    optimizer.step()
    with torch.no_grad():
        model.eval()
        out = model(features, adj)
        acc_val = (out[idx_val].argmax(1) == labels[idx_val]).float().mean()
    if epoch % 2 == 1:
        print("Epoch: {:04d} loss: {:.4f} val: {:.3f}".format(epoch + 1, loss_train.item(), acc_val.item()))
