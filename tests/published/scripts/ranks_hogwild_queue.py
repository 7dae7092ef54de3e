# cause: several processes
import torch
import torch.nn as nn
import torch.multiprocessing as mp


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = nn.Linear(10, 20), nn.Linear(20, 1)

    def forward(self, x):
        return self.l2(torch.sigmoid(self.l1(x)))


def worker(idx, net, queue, n):
    torch.manual_seed(idx)
    torch.set_num_threads(1)
    optim = torch.optim.SGD(net.parameters(), lr=1e-2)
    for i in range(n):
        x = torch.rand(8, 10)
        y = x.max(dim=1, keepdim=True).values
        optim.zero_grad()
        loss = (net(x) - y).pow(2).mean()
        loss.backward()
        optim.step()
        if i % 20 == 0:
            queue.put((idx, i, loss.item()))
    queue.put(None)


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    net = Net()
    net.share_memory()
    queue = mp.Queue()
    procs = [mp.Process(target=worker, args=(i, net, queue, 100)) for i in range(2)]
    [p.start() for p in procs]
    done = 0
    while done < 2:
        got = queue.get()
        if got is None:
            done += 1
        else:
            print(*got)
    [p.join() for p in procs]
    with torch.no_grad():
        x = torch.rand(100, 10)
        print((net(x) - x.max(1, keepdim=True).values).abs().mean())
