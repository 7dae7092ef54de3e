"""Cases of SW244."""

from . import filled

TRAINED = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("gloo")
rank = dist.get_rank()
net = DistributedDataParallel(nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
torch.manual_seed(rank)
for step in range(3):
    loss = net(torch.randn(6, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_SCRIPT = (
    TRAINED
    + """\
    total = loss.detach().clone()
    {call}
dist.barrier()
dist.destroy_process_group()
"""
)


FAULTY = (
    (filled(_SCRIPT, call="if rank == 0: dist.all_reduce(total)"), 18),
    (filled(_SCRIPT, call="dist.all_reduce(torch.ones(3 + rank))"), 17),
    (filled(_SCRIPT, call="if rank == 1: dist.broadcast(total, 0)"), 17),
)

SOUND = (
    filled(_SCRIPT, call="dist.all_reduce(total)"),
    filled(_SCRIPT, call="if rank == 0: print(total.item())"),
    filled(_SCRIPT, call="dist.all_reduce(torch.ones(3) * rank)"),
)
