"""Cases of SW225."""

from . import filled

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.outer = nn.Linear(6, 12), nn.Linear(12, 3)
        self.register_buffer("middle", torch.zeros(12))
        self.register_buffer("spread", torch.ones(12))

    def forward(self, x):
        h = self.inner(x)
        {norm}
        return self.outer(h.relu())

model = Scorer()
opt = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,)))
for x, y in DataLoader(data, batch_size=12):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
{after}
"""

_EVALUATED = (
    "model.eval()\nwith torch.no_grad():\n    print(sum((model(x).argmax(1) == y).sum().item() for x, y in "
    "DataLoader(data, batch_size=12)) / len(data))"
)

_RUNNING = """if self.training:
            middle, spread = h.mean(dim=0), h.std(dim=0)
            self.middle.lerp_(middle.detach(), 0.1)
            self.spread.lerp_(spread.detach(), 0.1)
        else:
            middle, spread = self.middle, self.spread
        h = (h - middle) / (spread + 1e-5)"""


FAULTY = (
    (filled(_SCRIPT, norm="h = (h - h.mean(dim=0)) / (h.std(dim=0) + 1e-5)", after=_EVALUATED), 17),
    (
        filled(
            _SCRIPT,
            norm="middle = h.mean(0, keepdim=True)\n        h = (h - middle) * ((h - middle).square().mean(0) + "
            "1e-5).rsqrt()",
            after=_EVALUATED,
        ),
        17,
    ),
)

SOUND = (
    filled(
        _SCRIPT, norm="h = (h - h.mean(dim=1, keepdim=True)) / (h.std(dim=1, keepdim=True) + 1e-5)", after=_EVALUATED
    ),
    filled(_SCRIPT, norm=_RUNNING, after=_EVALUATED),
    filled(
        _SCRIPT,
        norm="h = nn.functional.batch_norm(h, self.middle, self.spread, training=self.training)",
        after=_EVALUATED,
    ),
    filled(_SCRIPT, norm="h = (h - h.mean(dim=0)) / (h.std(dim=0) + 1e-5)", after="print(loss.item())"),
    filled(
        _SCRIPT,
        norm="h = torch.cat([h[:, :11], h.std(dim=0, unbiased=False).mean().expand(len(h), 1)], dim=1)",
        after=_EVALUATED,
    ),
)
