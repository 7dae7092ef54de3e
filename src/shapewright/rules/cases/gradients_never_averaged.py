"""Cases of SW246."""

_SCRIPT = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
body, head = nn.Linear(4, 6), nn.Linear(6, 1)
net = DistributedDataParallel(body)
{wrap}
opt = torch.optim.SGD([*net.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    x = torch.randn(6, 4)
    y = {call}
    loss = (head(y) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    {sync}
    opt.step()
dist.destroy_process_group()
"""
_WRAPPED = "head = DistributedDataParallel(head)"


def _script(call: str = "net(x)", wrap: str = _WRAPPED, sync: str = "pass") -> str:
    return _SCRIPT.replace("{call}", call).replace("{wrap}", wrap).replace("{sync}", sync)


FAULTY = ((_script("net.module(x)"), 14), (_script(wrap="pass"), 15))

_EACH = "for p in head.parameters(): dist"

SOUND = (
    _script(
        wrap=f"{_EACH}.broadcast(p.data, 0)", sync=f"{_EACH}.all_reduce(p.grad); p.grad.div_(dist.get_world_size())"
    ),
    _script() + "with torch.no_grad(): print(net.module(torch.randn(2, 4)).shape)",
)
