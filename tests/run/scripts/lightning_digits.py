"""A LightningModule on random digits: loaders, metrics, checkpoint and early stopping callbacks, test of the best weights."""
import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Digits(L.LightningDataModule):
    def __init__(self, batch_size=64):
        super().__init__()
        self.save_hyperparameters()

    def setup(self, stage=None):
        images = torch.rand(1003, 1, 28, 28)
        labels = torch.randint(0, 10, (1003,))
        full = TensorDataset(images, labels)
        self.train_set, self.val_set, self.test_set = random_split(full, [803, 100, 100], generator=torch.Generator().manual_seed(1))

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.hparams.batch_size, shuffle=True, num_workers=4, persistent_workers=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.hparams.batch_size, num_workers=2)

    def test_dataloader(self):
        return DataLoader(self.test_set, batch_size=self.hparams.batch_size)


class Classifier(L.LightningModule):
    def __init__(self, hidden=128, lr=1e-3):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(784, hidden), nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, 10))

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = F.cross_entropy(self(x), y)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        logits = self(x)
        self.log("val_loss", F.cross_entropy(logits, y), prog_bar=True)
        self.log("val_acc", (logits.argmax(1) == y).float().mean())

    def test_step(self, batch, batch_idx):
        x, y = batch
        self.log("test_acc", (self(x).argmax(1) == y).float().mean())

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
        return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)}


if __name__ == "__main__":
    L.seed_everything(1)
    data = Digits()
    model = Classifier()
    checkpoint = ModelCheckpoint(monitor="val_loss", mode="min")
    trainer = L.Trainer(max_epochs=10, accelerator="auto", devices=1, precision="16-mixed", callbacks=[checkpoint, EarlyStopping("val_loss")])
    trainer.fit(model, data)
    trainer.test(datamodule=data, ckpt_path="best")
    best = Classifier.load_from_checkpoint(checkpoint.best_model_path)
    best.eval()
    with torch.no_grad():
        print(best(torch.rand(3, 1, 28, 28)).argmax(1))
