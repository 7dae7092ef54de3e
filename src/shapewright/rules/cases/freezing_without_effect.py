"""Cases of SW333."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
{freeze}
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x = torch.randn(8, 3)
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{freeze}", "model[0].requires_grad = False"), 6),
    (_SCRIPT.replace("{freeze}", "for layer in model[:2]:\n    layer.requires_grad = False"), 7),
    (_SCRIPT.replace("{freeze}", "for p in model[0].parameters():\n    p.require_grad = False"), 7),
)

SOUND = (
    _SCRIPT.replace("{freeze}", "for p in model[0].parameters():\n    p.requires_grad = False"),
    _SCRIPT.replace("{freeze}", "model[0].requires_grad_(False)\nmodel[2].bias.requires_grad = False"),
    _SCRIPT.replace(
        "{freeze}",
        "for name, value in model.named_parameters():\n    if name.startswith('0'):\n        value.requires_grad = "
        "False",
    ),
)
