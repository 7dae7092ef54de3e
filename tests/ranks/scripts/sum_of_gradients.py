# finds: SW246
import os
import torch
import torch.distributed as dist
from torch import nn

dist.init_process_group("gloo")
world = dist.get_world_size()
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
torch.manual_seed(1 + dist.get_rank())
for step in range(8):
    x = torch.randn(20, 5)
    y = x.norm(dim=1, keepdim=True)
    loss = nn.functional.smooth_l1_loss(net(x), y)
    opt.zero_grad()
    loss.backward()
    handles = [dist.all_reduce(p.grad, async_op=True) for p in net.parameters()]  # fault
    for h in handles:
        h.wait()
    opt.step()
