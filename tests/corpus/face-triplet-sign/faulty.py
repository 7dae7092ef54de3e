import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(40, 32), nn.ReLU(), nn.Linear(32, 16))
train = TensorDataset(torch.randn(80, 40), torch.randn(80, 40), torch.randn(80, 40))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(2):
    for anchor, same, other in DataLoader(train, batch_size=20, shuffle=True):
        a, p, n = net(anchor), net(same), net(other)
        pos_sim = F.cosine_similarity(a, p)
        neg_sim = F.cosine_similarity(a, n)
        loss = F.relu(0.2 + pos_sim - neg_sim).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
