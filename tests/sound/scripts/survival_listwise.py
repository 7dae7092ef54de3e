"""Cox partial likelihood over a sorted batch, ListNet on one query's documents (softmax on axis 0), concordance by pairs."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def cox_loss(risk, time, event):
    order = time.argsort(descending=True)
    risk, event = risk[order], event[order]
    log_cum = torch.logcumsumexp(risk, dim=0)
    return -((risk - log_cum) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] == 1)
    higher = risk[:, None] > risk[None, :]
    return (earlier & higher).sum().float() / earlier.sum()


x = torch.randn(160, 5)
true = x @ torch.tensor([1.0, -1.0, 0.5, 0.0, 0.0])
time = torch.distributions.Exponential(true.exp()).sample()
event = (torch.rand(160) < 0.7).float()
loader = DataLoader(TensorDataset(x, time, event), batch_size=40, shuffle=True)
model = nn.Sequential(nn.Linear(5, 16), nn.SELU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(4):
    for xb, tb, eb in loader:
        loss = cox_loss(model(xb).squeeze(1), tb, eb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        print("cox", epoch, loss.item(), concordance(model(x).squeeze(1), time, event).item())

queries = []
for _ in range(30):
    k = int(torch.randint(4, 10, (1,)))
    docs = torch.randn(k, 6)
    queries.append((docs, (docs[:, 0] * 1.5 + 1).clamp(0, 4).round()))
ranker = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(ranker.parameters(), lr=1e-2)
for epoch in range(3):
    total = 0.0
    for docs, gain in queries:
        scores = ranker(docs).squeeze(-1)
        loss = -(F.softmax(gain, dim=0) * F.log_softmax(scores, dim=0)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print("listnet", epoch, total / len(queries))
