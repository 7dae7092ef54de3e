"""Cases of SW249."""

_SCRIPT = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
dist.init_process_group("gloo")
data = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))
sampler = DistributedSampler({options})
loader = DataLoader(data, batch_size=4, sampler=sampler)
held_out = DataLoader(data, batch_size=4, sampler=DistributedSampler(data))
net = DistributedDataParallel(nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range({epochs}):
    {call}
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        for x, y in held_out:
            net(x)
dist.destroy_process_group()
"""


def _script(call: str = "pass", options: str = "data", epochs: int = 3) -> str:
    return _SCRIPT.replace("{call}", call).replace("{options}", options).replace("{epochs}", str(epochs))


FAULTY = ((_script(), 11), (_script("torch.manual_seed(epoch)", "data, seed=3"), 11))

SOUND = (
    _script("sampler.set_epoch(epoch)"),
    _script(options="data, shuffle=False"),
    _script(epochs=1),
    _script("sampler.epoch = epoch"),
)
