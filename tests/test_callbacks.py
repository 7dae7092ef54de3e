"""The preflights of other trainers, in their own loops."""

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from shapewright.callbacks.preflight import FaultFound

DATA = TensorDataset(torch.randn(12, 8), torch.randn(12))


def test_lightning_stops_before_the_first_step_of_a_faulty_module(tmp_path):
    lightning = pytest.importorskip("lightning.pytorch")
    from shapewright.callbacks.lightning import Preflight

    class Net(lightning.LightningModule):
        def __init__(self, sound):
            super().__init__()
            self.body, self.sound = nn.Linear(8, 1), sound

        def training_step(self, batch, _):
            x, y = batch
            predicted = self.body(x).squeeze(-1) if self.sound else self.body(x)
            loss = nn.functional.mse_loss(predicted, y)
            self.log("loss", loss)
            return loss

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    def fit(sound):
        quiet = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False, "max_steps": 2}
        preflight = Preflight(lang="en")
        trainer = lightning.Trainer(
            accelerator="cpu", callbacks=[preflight], default_root_dir=tmp_path, enable_model_summary=False, **quiet
        )
        trainer.fit(Net(sound), DataLoader(DATA, batch_size=4))
        return preflight.diagnosis, trainer.global_step

    with pytest.raises(FaultFound, match="SW201"):
        fit(False)
    diagnosis, steps = fit(True)
    assert not diagnosis.findings and steps == 2


class Rows(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return {"x": torch.randn(8), "labels": torch.randn(())}


class Regressor(nn.Module):
    def __init__(self, sound):
        super().__init__()
        self.body, self.sound = nn.Linear(8, 1), sound

    def forward(self, x, labels):
        predicted = self.body(x).squeeze(-1) if self.sound else self.body(x)
        return {"loss": nn.functional.mse_loss(predicted, labels), "logits": predicted}


def test_transformers_trainer_stops_before_the_first_step(tmp_path):
    transformers = pytest.importorskip("transformers")
    from shapewright.callbacks.transformers import Preflight

    def train(sound):
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path), max_steps=1, report_to=[], use_cpu=True, save_strategy="no", disable_tqdm=True
        )
        preflight = Preflight(lang="en")
        transformers.Trainer(Regressor(sound), arguments, train_dataset=Rows(), callbacks=[preflight]).train()
        return preflight.diagnosis

    with pytest.raises(FaultFound, match="SW201"):
        train(False)
    assert not train(True).findings


def test_accelerate_preflights_what_was_prepared():
    accelerate = pytest.importorskip("accelerate")
    from shapewright.callbacks.accelerate import preflight_prepared

    accelerator = accelerate.Accelerator(cpu=True)
    model, loader = accelerator.prepare(nn.Linear(8, 1), DataLoader(DATA, batch_size=4))
    with pytest.raises(FaultFound):
        preflight_prepared(accelerator, model, loader, nn.MSELoss())
    assert preflight_prepared(accelerator, model, loader, lambda out, y: ((out.squeeze(-1) - y) ** 2).mean())
