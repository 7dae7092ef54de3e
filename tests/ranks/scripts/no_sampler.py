# finds: SW248
import argparse, os
import torch
import torch.multiprocessing as mp
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import Dataset, DataLoader


class Waves(Dataset):
    def __init__(self, n=100):
        t = torch.linspace(0, 6.28, 32)
        self.kind = torch.arange(n) % 2
        self.x = torch.where(self.kind[:, None] == 0, t.sin(), t.cos()) + 0.1 * torch.randn(n, 32)

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        return self.x[i], self.kind[i]


def main_worker(gpu, ngpus, args):
    dist.init_process_group("gloo", init_method=args.dist_url, world_size=ngpus, rank=gpu)
    torch.manual_seed(0)
    model = DDP(torch.nn.Sequential(torch.nn.Linear(32, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2)))
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), args.lr)
    loader = DataLoader(Waves(), batch_size=args.batch_size, shuffle=True)  # fault
    for epoch in range(args.epochs):
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if gpu == 0:
            print(epoch, loss.item())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--dist-url", default="tcp://127.0.0.1:29900")
    parser.add_argument("--epochs", default=3, type=int)
    parser.add_argument("--lr", default=0.1, type=float)
    parser.add_argument("-b", "--batch-size", default=10, type=int)
    args = parser.parse_args()
    mp.spawn(main_worker, nprocs=2, args=(2, args))
