# finds: SW102
import os
import torch
import torch.nn as nn
import torch.distributed as dist

dist.init_process_group("gloo")
world, rank = dist.get_world_size(), dist.get_rank()


class Sharded(nn.Module):
    """Each rank computes a part of the output features."""

    def __init__(self, n_in, n_out):
        super().__init__()
        self.n_out = n_out
        self.part = nn.Linear(n_in, n_out // world)  # fault

    def forward(self, x):
        mine = self.part(x)
        parts = [torch.empty_like(mine) for _ in range(world)]
        dist.all_gather(parts, mine.detach())
        parts[rank] = mine
        return torch.cat(parts, dim=-1)


torch.manual_seed(rank)
net = nn.Sequential(Sharded(10, 15), nn.ReLU(), nn.Linear(15, 4))  # fault
opt = torch.optim.Adam(net.parameters())
for _ in range(5):
    torch.manual_seed(0)
    x, y = torch.randn(6, 10), torch.randint(0, 4, (6,))
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
