"""Cases of SW338."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.ReduceLROnPlateau(opt{mode})
for epoch in range(4):
    x, y = torch.randn(9, 3), torch.randint(0, 2, (9,))
    scores = model(x)
    loss = nn.functional.cross_entropy(scores, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    val_acc = (scores.argmax(1) == y).float().mean().item()
    plan.step({figure})
"""

FAULTY = (
    (_SCRIPT.replace("{mode}", "").replace("{figure}", "val_acc"), 7),
    (_SCRIPT.replace("{mode}", ", mode='max'").replace("{figure}", "loss.item()"), 7),
)

SOUND = tuple(
    _SCRIPT.replace("{mode}", mode).replace("{figure}", figure)
    for mode, figure in ((", 'max'", "val_acc"), ("", "loss.item()"), ("", "-val_acc"), ("", "1 - val_acc"))
)
