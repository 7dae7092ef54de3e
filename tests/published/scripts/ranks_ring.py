# cause: several processes
# ring all-reduce written with point-to-point calls
import torch
import torch.distributed as dist
from torch.multiprocessing import Process


def ring(values, size, rank):
    total = values.clone()
    passing = values.clone()
    left, right = (rank - 1) % size, (rank + 1) % size
    for _ in range(size - 1):
        got = torch.empty_like(passing)
        request = dist.isend(passing, dst=right)
        dist.recv(got, src=left)
        request.wait()
        total += got
        passing = got
    return total


def job(rank, size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=size)
    torch.manual_seed(0)
    model = torch.nn.Linear(5, 2)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(100 + rank)
    for i in range(12):
        x = torch.randn(10, 5)
        target = torch.stack([x.sum(1), x.prod(1)], 1)
        loss = torch.nn.functional.mse_loss(model(x), target)
        opt.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.grad = ring(p.grad, size, rank) / size
        opt.step()
    print(rank, loss.item())


if __name__ == "__main__":
    crew = []
    for r in range(2):
        p = Process(target=job, args=(r, 2))
        p.start()
        crew.append(p)
    for p in crew:
        p.join()
