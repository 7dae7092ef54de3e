"""Cases of SW327."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    x = torch.randn(8, 3)
    loss = ((model(x) - x.sum(1, keepdim=True)) ** 2).mean()
    {clear}
    loss.backward()
    {step}
"""

FAULTY = (
    (_SCRIPT.replace("{clear}", "opt.zero_grad").replace("{step}", "opt.step()"), 10),
    (_SCRIPT.replace("{clear}", "opt.zero_grad()").replace("{step}", "opt.step"), 12),
)

SOUND = (
    _SCRIPT.replace("{clear}", "clear = opt.zero_grad").replace("{step}", "clear() if step % 2 else opt.step()"),
    _SCRIPT.replace("{clear}", "opt.zero_grad()").replace("{step}", "advance = opt.step\n    advance()"),
)
