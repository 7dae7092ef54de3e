"""Cases of SW385."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(60, 4), torch.randn(60, 1)
def batches(size):
    for at in range(0, 60, size):
        yield x[at : at + size], y[at : at + size]
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
read = {made}
for epoch in range(4):
    {anew}
    for given, asked in {read}:
        loss = (net(given) - asked).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        {after}
"""
_PARTS = {"made": "batches(10)", "anew": "pass", "read": "read", "after": "pass"}
_LOADER = "DataLoader(TensorDataset(x, y), 10)"

FAULTY = (
    (filled(_SCRIPT, **_PARTS), 15),
    (filled(_SCRIPT, **(_PARTS | {"made": f"iter({_LOADER})"})), 15),
    (filled(_SCRIPT, **(_PARTS | {"made": "zip(x.split(10), y.split(10))"})), 15),
    (filled(_SCRIPT, **(_PARTS | {"made": "map(tuple, batches(6))"})), 15),
)
SOUND = (
    filled(_SCRIPT, **(_PARTS | {"anew": "read = batches(10)"})),
    filled(_SCRIPT, **(_PARTS | {"made": _LOADER})),
    filled(_SCRIPT, **(_PARTS | {"made": "list(batches(10))"})),
    # a stream is read on, some batches at a time
    filled(_SCRIPT, **(_PARTS | {"made": "batches(1)", "after": "if opt.state and torch.rand(()) < 0.3: break"})),
    filled(_SCRIPT, **(_PARTS | {"made": "batches(1)", "read": "[next(read) for _ in range(3)]"})),
)
