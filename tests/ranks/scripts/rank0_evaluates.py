# finds: SW244
import os
import torch
import torch.nn as nn
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def reduce_mean(value):
    value = value.clone()
    dist.all_reduce(value)  # fault
    return value / dist.get_world_size()


def validate(net, loader):
    net.eval()
    total = torch.zeros(())
    with torch.no_grad():
        for x, y in loader:
            total += nn.functional.l1_loss(net(x), y)
    net.train()
    return reduce_mean(total / len(loader))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group(backend="gloo", init_method="env://")
    torch.manual_seed(11)
    x = torch.randn(120, 9)
    y = x @ torch.randn(9, 1)
    train, valid = TensorDataset(x[:96], y[:96]), TensorDataset(x[96:], y[96:])
    sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=12, sampler=sampler)
    valid_loader = DataLoader(valid, batch_size=12)
    net = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Linear(9, 30), nn.SiLU(), nn.Linear(30, 1)))
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for xb, yb in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(xb), yb).backward()
            optimizer.step()
        if local_rank == 0:
            print("valid", validate(net.module, valid_loader).item())  # fault
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
