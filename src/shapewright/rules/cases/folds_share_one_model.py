"""Cases of SW334."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(24, 3), torch.randn(24, 1)
parts = torch.arange(24).chunk(3)
{before}
for fold in range(3):
    {inside}
    val_idx, train_idx = parts[fold], torch.cat([part for k, part in enumerate(parts) if k != fold])
    for step in range(4):
        loss = nn.functional.mse_loss(model(x[train_idx]), y[train_idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(fold, nn.functional.mse_loss(model(x[val_idx]), y[val_idx]).item())
"""

_MODEL = "model = nn.Linear(3, 1)"

_OPT = "opt = torch.optim.SGD(model.parameters(), lr=0.1)"

FAULTY = ((_SCRIPT.replace("{before}", f"{_MODEL}\n{_OPT}").replace("{inside}", "pass"), 9),)

SOUND = (
    _SCRIPT.replace("{before}", "").replace("{inside}", f"{_MODEL}\n    {_OPT}"),
    _SCRIPT.replace("{before}", f"{_MODEL}\n{_OPT}").replace("{inside}", "model.reset_parameters()"),
    _SCRIPT.replace("{before}", f"{_MODEL}\n{_OPT}").replace("{inside}", "pass").replace("fold", "epoch"),
)
