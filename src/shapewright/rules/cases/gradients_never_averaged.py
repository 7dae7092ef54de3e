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


_PLAIN = """
import torch
import torch.distributed as dist
from torch import nn
dist.init_process_group("gloo")
torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr={rate})
for step in range(3):
    x = torch.randn(6, 4)
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True)){share}
    opt.zero_grad()
    loss.backward()
    for p in net.parameters():
        dist.all_reduce(p.grad.data, op=dist.ReduceOp.SUM)
        {then}
    opt.step()
dist.destroy_process_group()
"""


def _plain(then: str = "pass", share: str = "", rate: str = "0.1") -> str:
    return _PLAIN.replace("{then}", then).replace("{share}", share).replace("{rate}", rate)


FAULTY = ((_script("net.module(x)"), 14), (_script(wrap="pass"), 15), (_plain(), 15))

_EACH = "for p in head.parameters(): dist"

SOUND = (
    _script(
        wrap=f"{_EACH}.broadcast(p.data, 0)", sync=f"{_EACH}.all_reduce(p.grad); p.grad.div_(dist.get_world_size())"
    ),
    _script() + "with torch.no_grad(): print(net.module(torch.randn(2, 4)).shape)",
    _plain("p.grad.data /= dist.get_world_size()"),
    _plain(share=" / dist.get_world_size()"),
    _plain(rate="0.1 / dist.get_world_size()"),
    _plain().replace("mse_loss(", "mse_loss(reduction='sum', input=").replace("net(x), x.", "net(x), target=x."),
)
