# finds: SW102
import os
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.distributed as dist


class Copy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        g = g.contiguous()
        dist.all_reduce(g)
        return g


class Reduce(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g


class ColumnParallel(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        world = dist.get_world_size()
        assert n_out % world == 0
        self.weight = nn.Parameter(torch.randn(n_out // world, n_in) * 0.05)
        self.bias = nn.Parameter(torch.zeros(n_out // world))

    def forward(self, x):
        return F.linear(Copy.apply(x), self.weight, self.bias)


class RowParallel(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        world = dist.get_world_size()
        assert n_in % world == 0
        self.weight = nn.Parameter(torch.randn(n_out, n_in) * 0.05)  # fault
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return Reduce.apply(F.linear(x, self.weight)) + self.bias  # fault


class MLP(nn.Module):
    def __init__(self, d, hidden, classes):
        super().__init__()
        self.up = ColumnParallel(d, hidden)
        self.down = RowParallel(hidden, d)
        self.head = nn.Linear(d, classes)

    def forward(self, x):
        return self.head(x + self.down(F.gelu(self.up(x))))


if __name__ == "__main__":
    dist.init_process_group("gloo", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))
    torch.manual_seed(0)
    net = MLP(16, 64, 5)
    for p in net.head.parameters():
        dist.broadcast(p.data, 0)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3)
    for it in range(10):
        x = torch.randn(8, 16)
        y = torch.randint(0, 5, (8,))
        loss = F.cross_entropy(net(x), y)
        adam.zero_grad()
        loss.backward()
        adam.step()
