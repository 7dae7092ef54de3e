"""Cases of SW275."""

_SCRIPT = """
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
{save}
dist.destroy_process_group()
"""


def _script(save: str) -> str:
    return _SCRIPT.replace("{save}", save)


FAULTY = ((_script('torch.save(net.module.state_dict(), "model.pt")'), 16),)

SOUND = (
    _script('if rank == 0: torch.save(net.module.state_dict(), "model.pt")'),
    _script('torch.save(net.module.state_dict(), f"model{rank}.pt")'),
)
