"""Cases of SW337."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best_loss = {first}
for epoch in range(4):
    x = torch.randn(9, 3)
    loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
    opt.zero_grad()
    loss.backward()
    opt.step()
    val_loss = loss.item()
    if {test}:
        best_loss = val_loss
        print("better", epoch)
"""

_KEPT = (
    _SCRIPT.replace("{first}", "float('inf')")
    .replace("{test}", "val_loss < best_loss")
    .replace('print("better", epoch)', "kept = {name: one.clone() for name, one in model.state_dict().items()}")
)
_NEVER = _KEPT.replace("        best_loss = val_loss\n", "")

FAULTY = (
    (_SCRIPT.replace("{first}", "0").replace("{test}", "val_loss < best_loss"), 15),
    (_SCRIPT.replace("{first}", "0.0").replace("{test}", "best_loss > val_loss"), 15),
    (_NEVER, 15),
)

SOUND = (
    _KEPT,
    _NEVER.replace("float('inf')", "0.05"),  # whatever is good enough
    _NEVER.replace("    if val", "    if epoch > 2:\n        best_loss = 0.05\n    if val"),
    _SCRIPT.replace("{first}", "float('inf')").replace("{test}", "val_loss < best_loss"),
    _SCRIPT.replace("{first}", "None").replace("{test}", "best_loss is None or val_loss < best_loss"),
    _SCRIPT.replace("{first}", "0").replace("{test}", "val_loss > best_loss"),
    _SCRIPT.replace("{first}", "0").replace("{test}", "epoch == 0 or val_loss < best_loss"),
)
