"""Soft nearest neighbors: a batch that asks and a batch of candidates, drawn from the same data by two loaders."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
centers = torch.randn(5, 12)
kinds = torch.randint(0, 5, (320,))
data = TensorDataset(centers[kinds] + 0.5 * torch.randn(320, 12), kinds)
asking = DataLoader(data, batch_size=20, shuffle=True)
offered = DataLoader(data, batch_size=20, shuffle=True)
embed = nn.Sequential(nn.Linear(12, 16), nn.ReLU(), nn.Linear(16, 8))
optimizer = torch.optim.SGD(embed.parameters(), lr=0.05)


class Nearest(nn.Module):
    # query: batch_size x p
    # candidates: 20 x p
    def forward(self, query, candidates):
        distance = ((query.unsqueeze(1) - candidates.unsqueeze(0)) ** 2).sum(2)
        return torch.softmax(-distance, dim=1)


def one_hot(labels, width=5):
    count = labels.shape[0]
    return torch.zeros(count, width).scatter_(1, labels.unsqueeze(-1), 1)


def missed(query, candidates, query_kinds, candidate_kinds):
    # query: batch_size x p
    # candidates: 20 x p
    chosen = nearest(query, candidates)
    same = (query_kinds.unsqueeze(1) * candidate_kinds.unsqueeze(0)).sum(-1)  # batch_size x n
    return -(same.unsqueeze(0) * chosen).sum(-1)


nearest = Nearest()
for (query, query_kinds), (candidates, candidate_kinds) in zip(asking, offered):
    given = embed(candidates).reshape(20, 8)
    asked = embed(query).reshape(20, 8)
    loss = missed(asked, given, one_hot(query_kinds), one_hot(candidate_kinds)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
