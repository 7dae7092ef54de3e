# cause: several processes
import os

import torch
from torch import distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, DistributedSampler


class Accelerator:
    """The few lines of accelerate that we need."""

    def __init__(self):
        self.num_processes = int(os.environ.get("WORLD_SIZE", 1))
        self.process_index = int(os.environ.get("RANK", 0))
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        if self.num_processes > 1:
            dist.init_process_group()

    @property
    def is_main_process(self):
        return self.process_index == 0

    def prepare(self, model, optimizer, loader):
        model = model.to(self.device)
        if self.num_processes > 1:
            model = nn.parallel.DistributedDataParallel(model)
            sampler = DistributedSampler(loader.dataset, shuffle=True)
            loader = DataLoader(loader.dataset, batch_size=loader.batch_size, sampler=sampler)
        return model, optimizer, loader

    def gather(self, tensor):
        if self.num_processes == 1:
            return tensor
        out = [torch.empty_like(tensor) for _ in range(self.num_processes)]
        dist.all_gather(out, tensor.contiguous())
        return torch.cat(out)

    def backward(self, loss):
        loss.backward()


def main():
    acc = Accelerator()
    torch.manual_seed(3)
    x = torch.randn(96, 20)
    y = (x.sum(1) > 0).long()
    model = nn.Sequential(nn.Linear(20, 10), nn.Tanh(), nn.Linear(10, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model, optimizer, loader = acc.prepare(model, optimizer, loader)
    for epoch in range(3):
        if isinstance(loader.sampler, DistributedSampler):
            loader.sampler.set_epoch(epoch)
        losses = []
        for xb, yb in loader:
            xb, yb = xb.to(acc.device), yb.to(acc.device)
            loss = nn.functional.cross_entropy(model(xb), yb)
            acc.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            losses.append(acc.gather(loss.detach().reshape(1)).mean())
        if acc.is_main_process:
            print(epoch, torch.stack(losses).mean().item())
    if acc.is_main_process:
        inner = model.module if hasattr(model, "module") else model
        torch.save(inner.state_dict(), "final.pth")


main()
