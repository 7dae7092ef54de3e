# finds: SW244
import os
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F


def train(rank, world_size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "29700"
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(5)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(7, 2))
    opt = torch.optim.Adam(model.parameters())
    torch.manual_seed(rank)
    for it in range(6):
        x, y = torch.randn(9, 7), torch.randint(0, 2, (9,))
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct = (logits.argmax(1) == y).float().mean()
        mean_loss = loss.detach().clone()
        stop = torch.zeros(2)
        if rank == 0:
            dist.broadcast(stop, src=0)  # fault
            dist.all_reduce(mean_loss)
        else:
            dist.all_reduce(mean_loss)  # fault
            dist.broadcast(stop, src=0)
        if rank == 0:
            print(it, mean_loss.item() / world_size, correct.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(train, args=(2,), nprocs=2)
