# finds: SW246
import os
import torch
import torch.nn as nn
import torch.distributed as dist

dist.init_process_group("gloo")
torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(14, 24), nn.ReLU())
temperature = nn.Parameter(torch.ones(()))
head = nn.Linear(24, 6)
ddp = nn.parallel.DistributedDataParallel(backbone)
opt = torch.optim.SGD([*ddp.parameters(), *head.parameters()], lr=0.05)
torch.manual_seed(dist.get_rank())
for step in range(10):
    x = torch.randn(12, 14)
    y = torch.randint(0, 6, (12,))
    logits = head(ddp(x))  # fault
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
if dist.get_rank() == 0:
    torch.save({"b": backbone.state_dict(), "h": head.state_dict()}, "both.pt")
