# cause: layers that learn their sizes from the first batch
import torch
from torch import nn
net = nn.Sequential(nn.Embedding(97, 5), nn.Flatten(), nn.LazyLinear(3))
x = torch.randint(0, 97, (40, 16))
y = torch.randint(0, 3, (40,))
net(x[:2])
optimizer = torch.optim.Adam(net.parameters())
for start in range(0, len(x), 8):
    loss = nn.functional.cross_entropy(net(x[start : start + 8]), y[start : start + 8])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
