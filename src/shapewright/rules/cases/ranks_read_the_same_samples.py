"""Cases of SW248."""

from . import filled

_SCRIPT = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, Subset, TensorDataset
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed({seed})
data = TensorDataset(torch.randn(48, 4), torch.randn(48, 1))
loader = DataLoader({data}, batch_size=8, {how})
net = DistributedDataParallel(nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
dist.destroy_process_group()
"""


FAULTY = (
    (filled(_SCRIPT, how="shuffle=True", data="data", seed="0"), 11),
    (filled(_SCRIPT, how="drop_last=True", data="data", seed="0"), 11),
)

SOUND = (
    filled(_SCRIPT, how="sampler=DistributedSampler(data)", data="data", seed="0"),
    filled(_SCRIPT, how="shuffle=True", data="Subset(data, range(rank, 48, world))", seed="0"),
    filled(_SCRIPT, how="shuffle=True", data="data", seed="rank"),
)
