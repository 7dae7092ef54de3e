"""Cases of SW339."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(24, 3)), batch_size=8{shuffle})
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
{kept}
for step in range(3):
    x, = {draw}
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


FAULTY = ((filled(_SCRIPT, shuffle="", kept="", draw="next(iter(loader))"), 11),)

SOUND = (
    filled(_SCRIPT, shuffle=", shuffle=True", kept="", draw="next(iter(loader))"),
    filled(_SCRIPT, shuffle="", kept="batches = iter(loader)", draw="next(batches)"),
    filled(_SCRIPT, shuffle="", kept="first = next(iter(loader))", draw="first"),
)
