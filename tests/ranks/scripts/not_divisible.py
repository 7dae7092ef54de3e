# finds: SW140
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def run(rank, size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29811", rank=rank, world_size=size)
    torch.manual_seed(2)
    table = torch.randn(25, 4)
    mine = torch.empty(25 // size, 4)
    parts = list(table.chunk(size)) if rank == 0 else None
    dist.scatter(mine, parts, src=0)  # fault
    net = nn.Linear(3, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(4):
        loss = nn.functional.mse_loss(net(mine[:, :3]), mine[:, 3:])
        opt.zero_grad()
        loss.backward()
        for p in net.parameters():
            dist.all_reduce(p.grad)
            p.grad /= size
        opt.step()


if __name__ == "__main__":
    mp.spawn(run, (2,), nprocs=2)
