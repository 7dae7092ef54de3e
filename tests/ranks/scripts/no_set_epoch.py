# finds: SW249
import os
import torch
from torch import nn
import torch.distributed as dist
from torch.utils import data


def loader_for(ds, bs):
    return data.DataLoader(ds, batch_size=bs, sampler=data.DistributedSampler(ds), num_workers=0)  # fault


def train_one_epoch(model, loader, opt):
    running = 0.0
    for x, y in loader:
        out = model(x)
        loss = nn.functional.binary_cross_entropy_with_logits(out.squeeze(1), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    return running / len(loader)


if __name__ == "__main__":
    dist.init_process_group("gloo", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))
    torch.manual_seed(1)
    x = torch.randn(80, 5)
    ds = data.TensorDataset(x, (x[:, 0] > 0).float())
    loader = loader_for(ds, 8)
    model = nn.parallel.DistributedDataParallel(nn.Linear(5, 1))
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    for epoch in range(5):
        mean = train_one_epoch(model, loader, opt)
        if dist.get_rank() == 0:
            print(epoch, mean)
