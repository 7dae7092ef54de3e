"""A Trainer class with callbacks, an own step counter for accumulation, a warm-up scheduler, a checkpoint and its resumption."""
import os
import tempfile

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class Callback:
    def on_step(self, trainer, loss): ...

    def on_epoch(self, trainer): ...


class History(Callback):
    def __init__(self):
        self.losses, self.rates = [], []

    def on_step(self, trainer, loss):
        self.losses.append(loss)

    def on_epoch(self, trainer):
        self.rates.append(trainer.optimizer.param_groups[0]["lr"])


class Trainer:
    def __init__(self, model, loader, callbacks=(), accumulate=4):
        self.model, self.loader, self.callbacks, self.accumulate = model, loader, callbacks, accumulate
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: min(1.0, (s + 1) / 10))
        self.criterion = nn.BCEWithLogitsLoss()
        self.micro = self.epoch = 0

    def step(self, batch):
        x, y = batch
        loss = self.criterion(self.model(x), y)
        (loss / self.accumulate).backward()
        self.micro += 1
        if self.micro % self.accumulate == 0:
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.scheduler.step()
            self.optimizer.zero_grad()
        return loss.item()

    def fit(self, epochs):
        while self.epoch < epochs:
            self.model.train()
            for batch in self.loader:
                loss = self.step(batch)
                for cb in self.callbacks:
                    cb.on_step(self, loss)
            self.epoch += 1
            for cb in self.callbacks:
                cb.on_epoch(self)

    def save(self, path):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": self.epoch}, path)

    def load(self, path):
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.epoch = state["epoch"]


x = torch.randn(200, 10)
y = (x @ torch.randn(10, 4) > 0).float()
loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
history = History()
trainer = Trainer(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4)), loader, [history])
trainer.fit(2)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "last.pt")
    trainer.save(path)
    again = Trainer(nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4)), loader, [history])
    again.load(path)
again.fit(3)
assert again.epoch == 3
again.model.eval()
with torch.no_grad():
    hits = ((again.model(x) > 0) == y.bool()).float().mean(dim=0)
print(len(history.losses), history.rates, hits.tolist())
