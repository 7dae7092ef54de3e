# cause: a module of its own, a table by its address
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F

from helpers.layers import GraphConvolution, normalize

table = pd.read_csv("https://example.org/cora/nodes.csv")
features = torch.tensor(table[["a", "b", "c"]].values, dtype=torch.float32)
labels = torch.tensor(table["kind"].map({"theory": 0, "networks": 1, "genetic": 2}).values)
count = len(table)
edges = np.stack([np.arange(count), np.roll(np.arange(count), 1)])
adj = torch.zeros(count, count)
adj[edges[0], edges[1]] = 1.0
adj = normalize(adj + adj.t() + torch.eye(count))


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)

    def forward(self, x, adj):
        x = F.dropout(F.relu(self.gc1(x, adj)), 0.5, training=self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


model = GCN(features.shape[1], 16, int(labels.max()) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
idx_train, idx_val = torch.arange(60), torch.arange(60, count)
for epoch in range(200):
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss = F.nll_loss(output[idx_train], labels[idx_train])
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        output = model(features, adj)
        acc = (output[idx_val].argmax(1) == labels[idx_val]).float().mean()
    print(f"Epoch: {epoch + 1:04d}", f"loss_train: {loss.item():.4f}", f"acc_val: {acc.item():.4f}")
