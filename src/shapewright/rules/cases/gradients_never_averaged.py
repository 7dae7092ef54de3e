"""Cases of SW246."""

from . import filled

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

_SENT = """
import torch
import torch.distributed as dist
from torch import nn
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 1))
{begin}
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(3):
    x = torch.randn(6, 4)
    loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    {sync}
    opt.step()
    {after}
dist.destroy_process_group()
"""
_BEGIN = "for p in net.parameters(): dist.broadcast(p.data, src=0)"


FAULTY = (
    (filled(_SCRIPT, call="net.module(x)", wrap=_WRAPPED, sync="pass"), 14),
    (filled(_SCRIPT, call="net(x)", wrap="pass", sync="pass"), 15),
    (filled(_PLAIN, then="pass", share="", rate="0.1"), 15),
    (filled(_SENT, begin=_BEGIN, sync="pass", after="dist.all_reduce(loss.detach())"), 16),
)

_EACH = "for p in head.parameters(): dist"

SOUND = (
    filled(
        _SCRIPT,
        call="net(x)",
        wrap=f"{_EACH}.broadcast(p.data, 0)",
        sync=f"{_EACH}.all_reduce(p.grad); p.grad.div_(dist.get_world_size())",
    ),
    filled(_SCRIPT, call="net(x)", wrap=_WRAPPED, sync="pass")
    + "with torch.no_grad(): print(net.module(torch.randn(2, 4)).shape)",
    filled(_PLAIN, then="p.grad.data /= dist.get_world_size()", share="", rate="0.1"),
    filled(_PLAIN, then="pass", share=" / dist.get_world_size()", rate="0.1"),
    filled(_PLAIN, then="pass", share="", rate="0.1 / dist.get_world_size()"),
    filled(_PLAIN, then="pass", share="", rate="0.1")
    .replace("mse_loss(", "mse_loss(reduction='sum', input=")
    .replace("net(x), x.", "net(x), target=x."),
    filled(
        _SENT,
        begin=_BEGIN,
        sync="for p in net.parameters(): dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)",
        after="pass",
    ),
    filled(_SENT, begin="pass", sync="pass", after="pass"),  # each rank its own model
    filled(_SENT, begin=_BEGIN, sync="pass", after="if step == 2: [dist.all_reduce(p.data) for p in net.parameters()]"),
    filled(_SENT, begin=_BEGIN, sync="pass", after=_BEGIN),
    filled(
        _SENT,
        begin=_BEGIN,
        sync="flat = torch.cat([p.grad.flatten() for p in net.parameters()]); dist.all_reduce(flat); flat /= 2; "
        "nn.utils.vector_to_parameters(flat, [p.grad for p in net.parameters()])",
        after="pass",
    ),
)
