# cause: several processes
import os
import torch as th
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD = 2


class Regressor(th.nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = th.nn.Sequential(th.nn.Linear(6, width), th.nn.ReLU(), th.nn.Linear(width, 1))

    def forward(self, x):
        return self.body(x).squeeze(1)


def sync_parameters(net):
    for tensor in net.state_dict().values():
        dist.broadcast(tensor, src=0)


def average_gradients(net, world):
    flat = th.cat([p.grad.view(-1) for p in net.parameters()])
    dist.all_reduce(flat)
    flat.div_(world)
    at = 0
    for p in net.parameters():
        p.grad.copy_(flat[at:at + p.numel()].view_as(p))
        at += p.numel()


def worker(rank, world, steps):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29611")
    dist.init_process_group("gloo", rank=rank, world_size=world)
    gen = th.Generator().manual_seed(rank)
    net = Regressor()
    sync_parameters(net)
    sgd = th.optim.SGD(net.parameters(), lr=5e-2, momentum=0.9)
    for step in range(steps):
        x = th.randn(32, 6, generator=gen)
        y = x[:, 0] - x[:, 1] * 2
        sgd.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        average_gradients(net, world)
        sgd.step()
        if step % 10 == 0:
            log = loss.detach().clone()
            dist.reduce(log, dst=0)
            if rank == 0:
                print(step, log.item() / world)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, nprocs=WORLD, args=(WORLD, 60))
