"""Cases of SW332."""

from . import filled

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


_RAMP = "LambdaLR(opt, lambda step: max(0.0, 1 - step / {steps}))"

_TWO = """
import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(6, 8), nn.Linear(8, 1)
slow, fast = torch.optim.SGD(body.parameters(), lr=0.01), torch.optim.SGD(head.parameters(), lr=0.1)
plans = [torch.optim.lr_scheduler.{first}]
plans.append(torch.optim.lr_scheduler.{second})
for x, y in zip(torch.randn(4, 16, 6), torch.randn(4, 16, 1)):
    loss = (head(torch.relu(body(x))) - y).abs().mean()
    slow.zero_grad()
    fast.zero_grad()
    loss.backward()
    slow.step()
    fast.step()
    for plan in plans:
        plan.step()
"""

FAULTY = (
    (filled(_SCRIPT, plan=_RAMP.format(steps="len(loader)"), batch=STEP, epoch="pass"), 16),
    (filled(_SCRIPT, plan="PolynomialLR(opt)", batch=STEP, epoch="pass"), 16),
    (filled(_SCRIPT, plan="LinearLR(opt, 1.0, 0.0, 2)", batch="pass", epoch=STEP), 17),
    (filled(_SCRIPT, plan=_RAMP.format(steps="(5 * len(loader))"), batch="pass", epoch=STEP), 17),
    (filled(_SCRIPT, plan="CosineAnnealingLR(opt, T_max=5)", batch=STEP, epoch="pass"), 16),
    (filled(_SCRIPT, plan="MultiStepLR(opt, [2, 4], 0.1)", batch=STEP, epoch="pass"), 16),
    (filled(_SCRIPT, plan="StepLR(opt, 2, gamma=0.1)", batch=STEP, epoch="pass"), 16),
    (filled(_SCRIPT, plan="OneCycleLR(opt, 0.5, epochs=5, steps_per_epoch=len(loader))", batch="pass", epoch=STEP), 17),
    (filled(_SCRIPT, plan="StepLR(opt, 2)", batch="pass", epoch="print(plan.get_last_lr())"), 9),
    (filled(_TWO, first="ExponentialLR(slow, 0.99)", second="ExponentialLR(slow, 0.99)"), 9),
    (filled(_SCRIPT, plan="LambdaLR(opt, lambda epoch: 0.1 * 0.95**epoch)", batch="pass", epoch=STEP), 9),
)

SOUND = (
    filled(_TWO, first="ExponentialLR(slow, 0.99)", second="ExponentialLR(fast, 0.99)"),
    filled(_TWO, first="LinearLR(slow, 0.1, 1, 2)", second="ExponentialLR(slow, 0.99)"),  # the head keeps its rate
    filled(_SCRIPT, plan=_RAMP.format(steps="(5 * len(loader))"), batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="PolynomialLR(opt)", batch="pass", epoch=STEP),
    filled(_SCRIPT, plan="LambdaLR(opt, lambda step: 0.9 ** step)", batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="CosineAnnealingWarmRestarts(opt, len(loader))", batch=STEP, epoch="pass"),
    # it stops when the rate has come down
    filled(_SCRIPT, plan=_RAMP.format(steps="8"), batch=STEP, epoch="if epoch > 0: break"),
    filled(_SCRIPT, plan="CosineAnnealingLR(opt, T_max=5)", batch="pass", epoch=STEP),
    filled(_SCRIPT, plan="CosineAnnealingLR(opt, T_max=5 * len(loader))", batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="OneCycleLR(opt, 0.5, epochs=5, steps_per_epoch=len(loader))", batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="MultiStepLR(opt, [10, 20], 0.1)", batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="ExponentialLR(opt, 0.99)", batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan="StepLR(opt, 2)", batch="pass", epoch="for one in (plan,):\n        one.step()"),
    filled(_SCRIPT, plan="LambdaLR(opt, lambda epoch: min(1.0, 0.1 * (epoch + 1)))", batch="pass", epoch=STEP),
)

# a library steps the schedule: once an epoch, if it is not told otherwise
_TRAINER = """
import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
class Net(L.LightningModule):
    def __init__(self, steps):
        super().__init__()
        self.layer, self.steps = nn.Linear(3, 1), steps
    def training_step(self, batch, number):
        return nn.functional.mse_loss(self.layer(batch[0]), batch[1])
    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), lr=0.1)
        plan = torch.optim.lr_scheduler.{plan}
        return {"optimizer": opt, "lr_scheduler": {given}}
loader = DataLoader(TensorDataset(torch.randn(96, 3), torch.randn(96, 1)), batch_size=8)
trainer = L.Trainer(max_epochs=5, accelerator="cpu", logger=False, enable_checkpointing=False)
trainer.fit(Net(5 * len(loader)), loader)
"""
_EACH = '{"scheduler": plan, "interval": "step"}'
FAULTY += (
    (filled(_TRAINER, plan="CosineAnnealingLR(opt, T_max=self.steps)", given="plan"), 14),
    (filled(_TRAINER, plan="LambdaLR(opt, lambda at: max(0.0, 1 - at / self.steps))", given='{"scheduler": plan}'), 14),
    (filled(_TRAINER, plan="CosineAnnealingLR(opt, T_max=5)", given=_EACH), 14),
    (filled(_TRAINER, plan="ExponentialLR(opt, 0.7)", given=_EACH), 14),
)
SOUND += (
    filled(_TRAINER, plan="CosineAnnealingLR(opt, T_max=self.steps)", given=_EACH),
    filled(_TRAINER, plan="LambdaLR(opt, lambda at: max(0.0, 1 - at / self.steps))", given=_EACH),
    filled(_TRAINER, plan="CosineAnnealingLR(opt, T_max=5)", given="plan"),
    filled(_TRAINER, plan="MultiStepLR(opt, [3, 4])", given="plan"),
    filled(_TRAINER, plan="ExponentialLR(opt, 0.7)", given="plan"),
    filled(_TRAINER, plan="ExponentialLR(opt, 0.99)", given=_EACH),
    filled(_TRAINER, plan="StepLR(opt, 10, 0.5)", given=_EACH),
    filled(_TRAINER, plan="LambdaLR(opt, lambda at: min(1.0, (at + 1) / 20))", given=_EACH),
)


# updates over several batches; warm-ups that never end
_GATHERED = (
    _SCRIPT.replace("for x, y in loader:", "for i, (x, y) in enumerate(loader):")
    .replace("        opt.zero_grad()\n", "")
    .replace("        opt.step()\n", "        if i % 2 == 1:\n            opt.step()\n            opt.zero_grad()\n")
)
_WARM = "LambdaLR(opt, lambda step: min(1.0, (step + 1) / (2 * len(loader))))"
_SWING = "LambdaLR(opt, lambda at: at / 12 if at < 12 else 0.5 + 0.5 * math.cos(math.pi * (at - 12) / 18))"
_MATHS = _SCRIPT.replace("import torch\n", "import math, torch\n", 1)
_CYCLE = "CyclicLR(opt, 0.01, 0.1, step_size_up=2 * len(loader), cycle_momentum=False)"
_UP = "LinearLR(opt, 0.01, total_iters={steps})"
FAULTY += (
    (filled(_GATHERED, plan="OneCycleLR(opt, 0.5, total_steps=5 * (len(loader) // 2))", batch="pass", epoch=STEP), 18),
    (filled(_GATHERED, plan="CosineAnnealingLR(opt, T_max=5 * len(loader) // 2)", batch="pass", epoch=STEP), 18),
    (filled(_SCRIPT, plan=_WARM, batch="pass", epoch=STEP), 17),
    (filled(_MATHS, plan=_SWING, batch="pass", epoch=STEP), 17),
    (filled(_SCRIPT, plan=_CYCLE, batch="pass", epoch=STEP), 17),
    (filled(_SCRIPT, plan=_UP.format(steps="3 * len(loader)"), batch="pass", epoch=STEP), 17),
    (
        filled(
            _SCRIPT,
            plan=f"SequentialLR(opt, [torch.optim.lr_scheduler.{_UP.format(steps=12)}, "
            "torch.optim.lr_scheduler.CosineAnnealingLR(opt, 18)], [12])",
            batch="pass",
            epoch=STEP,
        ),
        17,
    ),
)
SOUND += (
    filled(_GATHERED, plan="OneCycleLR(opt, 0.5, total_steps=5)", batch="pass", epoch=STEP),
    filled(_GATHERED, plan="CosineAnnealingLR(opt, T_max=6)", batch="pass", epoch=STEP),
    filled(_SCRIPT, plan=_WARM, batch=STEP, epoch="pass"),
    filled(_MATHS, plan=_SWING, batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan=_CYCLE, batch=STEP, epoch="pass"),
    filled(_SCRIPT, plan=_UP.format(steps="3"), batch="pass", epoch=STEP),
    filled(_SCRIPT, plan=_UP.format(steps="500"), batch=STEP, epoch="pass"),  # a long warm-up of a short trial
    filled(_SCRIPT, plan=_UP.format(steps="7"), batch="pass", epoch=STEP),
)

# a function that falls and rises again
_WAVE = "LambdaLR(opt, lambda at: 0.001 + 0.999 * 0.5 * (1 + math.cos(math.pi * at / {steps})))"
FAULTY += (
    (filled(_MATHS, plan=_WAVE.format(steps="5"), batch=STEP, epoch="pass"), 16),
    (filled(_MATHS, plan=_WAVE.format(steps="(5 * len(loader))"), batch="pass", epoch=STEP), 17),
)
SOUND += (
    filled(_MATHS, plan=_WAVE.format(steps="(5 * len(loader))"), batch=STEP, epoch="pass"),
    filled(_MATHS, plan=_WAVE.format(steps="5"), batch="pass", epoch=STEP),
    filled(_MATHS, plan=_WAVE.format(steps="len(loader)"), batch=STEP, epoch="pass"),  # one wave an epoch
    filled(_MATHS, plan=_WAVE.format(steps="6"), batch="if epoch < 2: plan.step()", epoch="pass"),
)
