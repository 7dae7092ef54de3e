# cause: tables of words and of links
import numpy as np
import torch
from torch import nn

rows = np.genfromtxt("data/papers.content", dtype=np.dtype(str))
x = torch.FloatTensor(np.array(rows[:, 1:-1], dtype=np.float32))
kinds = sorted(set(rows[:, -1]))
y = torch.LongTensor([kinds.index(k) for k in rows[:, -1]])
known = {j: i for i, j in enumerate(np.array(rows[:, 0], dtype=np.int32))}
pairs = np.genfromtxt("data/papers.cites", dtype=np.int32)
edges = np.array(list(map(known.get, pairs.flatten())), dtype=np.int32).reshape(pairs.shape)
adj = torch.zeros(len(x), len(x))
adj[edges[:, 0], edges[:, 1]] = 1
train, test = torch.LongTensor(range(140)), torch.LongTensor(range(200, 500))
net = nn.Linear(x.shape[1], int(y.max()) + 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(20):
    opt.zero_grad()
    out = adj @ net(x)
    loss = nn.functional.cross_entropy(out[train], y[train])
    loss.backward()
    opt.step()
with torch.no_grad():
    print((out[test].argmax(1) == y[test]).float().mean())
