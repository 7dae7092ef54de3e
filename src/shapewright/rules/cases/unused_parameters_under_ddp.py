"""Cases of SW356."""

_SCRIPT = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("gloo")
torch.manual_seed(dist.get_rank())
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head, self.other = nn.Linear(4, 6), nn.Linear(6, 1), nn.Linear(6, 2)
    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.head(h), {other}
net = Net()
{before}
model = DistributedDataParallel(net{options})
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
for step in range(4):
    x = torch.randn(6, 4)
    {call}
    first, second = model(x)
    loss = (first - x.sum(1, keepdim=True)).pow(2).mean(){term}
    opt.zero_grad()
    loss.backward()
    opt.step()
dist.destroy_process_group()
"""


def _script(other: str = "None", before: str = "", options: str = "", call: str = "", term: str = "") -> str:
    fields = {"other": other, "before": before, "options": options, "call": call, "term": term}
    text = _SCRIPT
    for name, value in fields.items():
        text = text.replace("{" + name + "}", value)
    return text


FAULTY = ((_script(), 22), (_script(other="self.other(h)"), 22), (_script(other="self.other(h).detach()"), 22))

SOUND = (
    _script(options=", find_unused_parameters=True"),
    _script(other="self.other(h)", term=" + second.pow(2).mean()"),
    _script(before="net.other.requires_grad_(False)"),
    _script(other="self.other(h)", term=" + second.pow(2).mean()", call="print(model(x)[0].mean().item())"),
    _script(other="self.other(h)", term=" + 0.0 * second.sum()"),
)
