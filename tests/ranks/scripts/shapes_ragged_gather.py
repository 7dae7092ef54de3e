# finds: SW244
import os
import torch, torch.nn as nn, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset, Subset

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
data = TensorDataset(torch.randn(65, 6), torch.randint(0, 3, (65,)))
mine = Subset(data, range(rank, len(data), world))
loader = DataLoader(mine, batch_size=11)
model = DistributedDataParallel(nn.Linear(6, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
model.eval()
everything = []
with torch.no_grad():
    for x, y in loader:
        logits = model.module(x)
        parts = [torch.zeros_like(logits) for _ in range(world)]
        dist.all_gather(parts, logits)  # fault
        everything += parts
print(torch.cat(everything).shape)
