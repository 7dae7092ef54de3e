"""Cases of SW339."""

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


def _script(shuffle: str, kept: str, draw: str) -> str:
    return _SCRIPT.replace("{shuffle}", shuffle).replace("{kept}", kept).replace("{draw}", draw)


FAULTY = ((_script("", "", "next(iter(loader))"), 11),)

SOUND = (
    _script(", shuffle=True", "", "next(iter(loader))"),
    _script("", "batches = iter(loader)", "next(batches)"),
    _script("", "first = next(iter(loader))", "first"),
)
