"""Cases of SW332."""

_SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(24, 3), torch.randn(24, 1)), batch_size=4)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
plan = torch.optim.lr_scheduler.{plan}
for epoch in range(5):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        {batch}
    {epoch}
"""

STEP = "plan.step()"


def _script(plan: str, batch: str = "pass", epoch: str = "pass") -> str:
    return _SCRIPT.replace("{plan}", plan).replace("{batch}", batch).replace("{epoch}", epoch)


FAULTY = (
    (_script("CosineAnnealingLR(opt, T_max=5)", STEP), 16),
    (_script("MultiStepLR(opt, [2, 4], 0.1)", STEP), 16),
    (_script("StepLR(opt, 2, gamma=0.1)", STEP), 16),
    (_script("OneCycleLR(opt, 0.5, epochs=5, steps_per_epoch=len(loader))", "pass", STEP), 17),
    (_script("StepLR(opt, 2)", "pass", "print(plan.get_last_lr())"), 9),
)

SOUND = (
    _script("CosineAnnealingLR(opt, T_max=5)", "pass", STEP),
    _script("CosineAnnealingLR(opt, T_max=5 * len(loader))", STEP),
    _script("OneCycleLR(opt, 0.5, epochs=5, steps_per_epoch=len(loader))", STEP),
    _script("MultiStepLR(opt, [10, 20], 0.1)", STEP),
    _script("ExponentialLR(opt, 0.99)", STEP),
    _script("StepLR(opt, 2)", "pass", "for one in (plan,):\n        one.step()"),
)
