"""Cases of SW335."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
layers = {layers}
opt = torch.optim.SGD(layers.parameters(), lr=0.01)
for step in range(3):
    x = torch.randn(9, 5)
    h = x
    for layer in layers:
        h = torch.tanh(layer(h))
    loss = (h - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{layers}", "nn.ModuleList([nn.Linear(5, 5)] * 3)"), 5),
    (_SCRIPT.replace("{layers}", "nn.Sequential(*[nn.Linear(5, 5)] * 3)"), 5),
)

SOUND = (
    _SCRIPT.replace("{layers}", "nn.ModuleList([nn.Linear(5, 5) for _ in range(3)])"),
    _SCRIPT.replace("{layers}", "nn.Sequential(nn.Linear(5, 5), *[nn.ReLU()] * 2)"),
    _SCRIPT.replace("{layers}", "nn.ModuleList([nn.Linear(5, 5)])"),
)
