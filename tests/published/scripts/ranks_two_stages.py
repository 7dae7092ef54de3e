# cause: several processes
# a pipeline of two stages, rank 0 holds the first half
import os
import torch
import torch.distributed as dist
from torch import nn

RANK = int(os.environ.get("RANK", "0"))
WORLD = int(os.environ.get("WORLD_SIZE", "2"))
HIDDEN = 48


def stage_one(micro_batches=4, rounds=3):
    net = nn.Sequential(nn.Linear(12, HIDDEN), nn.ReLU())
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(rounds):
        opt.zero_grad()
        for _ in range(micro_batches):
            x = torch.randn(8, 12)
            h = net(x)
            dist.send(x.sum(1), 1)
            dist.send(h.detach(), 1)
            g = torch.empty_like(h)
            dist.recv(g, 1)
            h.backward(g / micro_batches)
        opt.step()


def stage_two(micro_batches=4, rounds=3):
    net = nn.Linear(HIDDEN, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(rounds):
        opt.zero_grad()
        for _ in range(micro_batches):
            y, h = torch.empty(8), torch.empty(8, HIDDEN)
            dist.recv(y, 0)
            dist.recv(h, 0)
            h.requires_grad_()
            loss = nn.functional.mse_loss(net(h).squeeze(1), y)
            (loss / micro_batches).backward()
            dist.send(h.grad * micro_batches, 0)
        opt.step()


if __name__ == "__main__":
    dist.init_process_group("gloo", rank=RANK, world_size=WORLD)
    torch.manual_seed(RANK)
    stage_one() if RANK == 0 else stage_two()
    dist.barrier()
    dist.destroy_process_group()
