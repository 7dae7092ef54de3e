"""The published GAT layer: every node against every node by repeat_interleave and repeat, joined along features."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class GraphAttentionLayer(nn.Module):
    def __init__(self, fin, fout, dropout, alpha, concat=True):
        super().__init__()
        self.dropout, self.out_features, self.concat = dropout, fout, concat
        self.W = nn.Parameter(torch.zeros(size=(fin, fout)))
        nn.init.xavier_uniform_(self.W.data, gain=1.414)
        self.a = nn.Parameter(torch.zeros(size=(2 * fout, 1)))
        nn.init.xavier_uniform_(self.a.data, gain=1.414)
        self.leakyrelu = nn.LeakyReLU(alpha)

    def forward(self, h, adj):
        Wh = torch.mm(h, self.W)
        e = self.leakyrelu(torch.matmul(self._pairs(Wh), self.a).squeeze(2))
        attention = torch.where(adj > 0, e, -9e15 * torch.ones_like(e))
        attention = F.softmax(attention, dim=1)
        attention = F.dropout(attention, self.dropout, training=self.training)
        h_prime = torch.matmul(attention, Wh)
        return F.elu(h_prime) if self.concat else h_prime

    def _pairs(self, Wh):
        N = Wh.size(0)
        in_chunks = Wh.repeat_interleave(N, dim=0)
        alternating = Wh.repeat(N, 1)
        return torch.cat([in_chunks, alternating], dim=1).view(N, N, 2 * self.out_features)


class GAT(nn.Module):
    def __init__(self, fin, hid, classes, dropout, heads):
        super().__init__()
        self.dropout = dropout
        self.attentions = [GraphAttentionLayer(fin, hid, dropout, 0.2) for _ in range(heads)]
        for i, attention in enumerate(self.attentions):
            self.add_module(f"attention_{i}", attention)
        self.out_att = GraphAttentionLayer(hid * heads, classes, dropout, 0.2, concat=False)

    def forward(self, x, adj):
        x = F.dropout(x, self.dropout, training=self.training)
        x = torch.cat([att(x, adj) for att in self.attentions], dim=1)
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(F.elu(self.out_att(x, adj)), dim=1)


N = 40
labels = torch.randint(0, 3, (N,))
adj = ((torch.rand(N, N) < 0.2) & (labels[:, None] == labels[None])).float() + torch.eye(N)
adj = ((adj + adj.t()) > 0).float()
features = torch.randn(N, 7) + labels[:, None].float()
idx_train, idx_val = torch.arange(20), torch.arange(20, 40)
model = GAT(7, 8, 3, 0.4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(20):
    model.train()
    optimizer.zero_grad()
    output = model(features, adj)
    loss_train = F.nll_loss(output[idx_train], labels[idx_train])
    loss_train.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        output = model(features, adj)
        loss_val = F.nll_loss(output[idx_val], labels[idx_val])
print(loss_train.item(), loss_val.item())
