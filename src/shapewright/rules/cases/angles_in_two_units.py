"""Cases of SW381."""

from . import filled

_SCRIPT = """
import math
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x = torch.randn(24, 3)
place = torch.randn(24)
for rows in torch.randperm(24).split(8):
    angle = net(x[rows])
    reached = {learned}
    loss = (reached - place[rows]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    angle = net(x)
    print(({judged} - place).abs().mean())
"""
_PLAIN = "angle[:, 0].cos() + (angle[:, 0] + angle[:, 1]).cos()"
_TURNED = "torch.deg2rad(angle[:, 0]).cos() + torch.deg2rad(angle[:, 0] + angle[:, 1]).cos()"
_TIMES = "torch.cos(angle[:, 0] * math.pi / 180)"

FAULTY = (
    (filled(_SCRIPT, learned=_PLAIN, judged=_TURNED), 12),
    (filled(_SCRIPT, learned=_TIMES, judged=_PLAIN), 19),
)

SOUND = (
    filled(_SCRIPT, learned=_TURNED, judged=_TURNED),
    filled(_SCRIPT, learned=_TIMES, judged=_TURNED),
    filled(_SCRIPT, learned=_PLAIN, judged="(angle[:, 0] * 2).cos()"),
    filled(_SCRIPT, learned=_PLAIN, judged="angle.rad2deg()[:, 0]"),
)
