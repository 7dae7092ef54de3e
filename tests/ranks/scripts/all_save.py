# finds: SW275
import os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from pathlib import Path
from torch import nn


class Runner:
    def __init__(self, rank, world, folder):
        self.rank, self.world, self.folder = rank, world, Path(folder)
        self.net = nn.parallel.DistributedDataParallel(nn.Linear(3, 3))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, epochs):
        for e in range(epochs):
            x = torch.randn(10, 3)
            loss = (self.net(x) - x.flip(1)).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.save(e)

    def save(self, e):
        self.folder.mkdir(exist_ok=True)
        torch.save({"net": self.net.module.state_dict(), "opt": self.opt.state_dict()}, self.folder / "last.pt")  # fault


def entry(rank, world):
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29555")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    Runner(rank, world, "runs").fit(3)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(entry, args=(2,), nprocs=2, join=True)
