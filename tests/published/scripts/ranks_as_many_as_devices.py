# cause: several processes
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def begin(rank, size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "12399"
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=size)
    torch.manual_seed(0)


def loaders(rank, size):
    points = torch.randn(96, 10)
    rows = TensorDataset(points, (points[:, :3].sum(1) > 0).long())
    sampler = DistributedSampler(rows, num_replicas=size, rank=rank, shuffle=True)
    return DataLoader(rows, batch_size=8, sampler=sampler), sampler


def work(rank, size):
    begin(rank, size)
    loader, sampler = loaders(rank, size)
    net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 2)).cuda(rank)
    net = DistributedDataParallel(net, device_ids=[rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for features, kinds in loader:
            loss = nn.functional.cross_entropy(net(features.cuda(rank)), kinds.cuda(rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


def main():
    size = torch.cuda.device_count()
    if size == 0:
        raise RuntimeError("this needs an accelerator")
    mp.spawn(work, args=(size,), nprocs=size, join=True)


if __name__ == "__main__":
    main()
