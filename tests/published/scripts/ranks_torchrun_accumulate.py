# cause: several processes
"""torchrun --nproc_per_node=2 s01.py --epochs 4"""
import argparse
import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Blobs(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 4, (n,), generator=g)
        self.x = torch.randn(n, 12, generator=g) + self.y[:, None]

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    hits = torch.zeros(2, device=device)
    for x, y in loader:
        hits[0] += (model(x.to(device)).argmax(1) == y.to(device)).sum()
        hits[1] += y.numel()
    dist.all_reduce(hits, op=dist.ReduceOp.SUM)
    model.train()
    return (hits[0] / hits[1]).item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--out", default="ckpt.pt")
    args = p.parse_args()
    rank, local_rank, world_size = (int(os.environ[k]) for k in ("RANK", "LOCAL_RANK", "WORLD_SIZE"))
    use_cuda = torch.cuda.is_available()
    dist.init_process_group("nccl" if use_cuda else "gloo")
    device = torch.device("cuda", local_rank) if use_cuda else torch.device("cpu")
    torch.manual_seed(17)
    model = nn.Sequential(nn.Linear(12, 32), nn.GELU(), nn.Linear(32, 4)).to(device)
    model = DDP(model, device_ids=[local_rank] if use_cuda else None)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    train = Blobs(208, 0)
    sampler = DistributedSampler(train, num_replicas=world_size, rank=rank, shuffle=True, drop_last=True)
    loader = DataLoader(train, batch_size=8, sampler=sampler)
    valid = Blobs(64, 1)
    valid_loader = DataLoader(valid, batch_size=16, sampler=DistributedSampler(valid, shuffle=False))
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for i, (x, y) in enumerate(loader):
            last = (i + 1) % args.accum == 0 or i + 1 == len(loader)
            with nullcontext() if last else model.no_sync():
                loss = F.cross_entropy(model(x.to(device)), y.to(device)) / args.accum
                loss.backward()
            if last:
                opt.step()
                opt.zero_grad(set_to_none=True)
        acc = evaluate(model, valid_loader, device)
        if rank == 0:
            print(f"epoch {epoch} acc {acc:.3f}")
            torch.save({"model": model.module.state_dict(), "epoch": epoch}, args.out)
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
