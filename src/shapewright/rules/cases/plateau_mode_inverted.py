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

_TRAINED = """
import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
class Sorter(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 2)
    def training_step(self, batch, at):
        return nn.functional.cross_entropy(self.net(batch[0]), batch[1])
    def validation_step(self, batch, at):
        scores = self.net(batch[0])
        self.log("val_loss", nn.functional.cross_entropy(scores, batch[1]))
        self.log("val_acc", (scores.argmax(1) == batch[1]).float().mean())
    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), lr=0.1)
        plan = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, {mode})
        return {{"optimizer": opt, "lr_scheduler": {{"scheduler": plan, "monitor": "{figure}"}}}}
L.seed_everything(0)
x = torch.randn(64, 3)
rows = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16)
stops = [EarlyStopping({stop}), ModelCheckpoint({best})]
L.Trainer(max_epochs=3, accelerator="cpu", logger=False, callbacks=stops).fit(Sorter(), rows, rows)
"""
_GOOD = {"mode": "factor=0.3", "figure": "val_loss", "stop": 'monitor="val_loss"', "best": '"best", monitor="val_loss"'}

FAULTY = (
    (_SCRIPT.replace("{mode}", "").replace("{figure}", "val_acc"), 7),
    (_SCRIPT.replace("{mode}", ", mode='max'").replace("{figure}", "loss.item()"), 7),
    (_TRAINED.format(**_GOOD | {"mode": '"max"'}), 19),
    (_TRAINED.format(**_GOOD | {"stop": 'monitor="val_acc", patience=3'}), 24),
    (_TRAINED.format(**_GOOD | {"best": 'monitor="val_loss", mode="max"'}), 24),
)

SOUND = (
    *(
        _SCRIPT.replace("{mode}", mode).replace("{figure}", figure)
        for mode, figure in ((", 'max'", "val_acc"), ("", "loss.item()"), ("", "-val_acc"), ("", "1 - val_acc"))
    ),
    _TRAINED.format(**_GOOD),
    _TRAINED.format(**_GOOD | {"mode": 'mode="max"', "figure": "val_acc", "stop": 'monitor="val_acc", mode="max"'}),
)
