"""Frameworks that are not installed and call a script's own functions: Lightning, accelerate below Hugging Face's trainer,
datasets, evaluate; and the
patterns of einops."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

EINOPS = Path(__file__).parents[3] / "src/shapewright/run/stand_ins/absent/einops/__init__.py"
HIDE = """
import sys
from importlib.machinery import PathFinder
HIDDEN = ("accelerate", "datasets", "evaluate", "lightning", "peft", "pytorch_lightning", "torchmetrics")
found = PathFinder.find_spec.__func__
PathFinder.find_spec = classmethod(lambda cls, name, path=None, target=None: None if path is None and name in HIDDEN else found(cls, name, path, target))
sys.meta_path[1:] = [PathFinder if finder is PathFinder else finder for finder in sys.meta_path[1:] if hasattr(finder, "find_spec") and "ditable" not in str(finder)]
import json
facts = {}
"""

LIGHTNING = f"""{HIDE}
import lightning as L
import pytorch_lightning as pl
import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from pytorch_lightning.utilities.types import STEP_OUTPUT
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

calls = []

class Data(pl.LightningDataModule):
    def __init__(self, size=8):
        super().__init__()
        self.save_hyperparameters()
    def setup(self, stage=None):
        calls.append(f"setup {{stage}}")
        self.rows = TensorDataset(torch.randn(30, 3), torch.randn(30, 1))
    def train_dataloader(self):
        return DataLoader(self.rows, batch_size=self.hparams.size)
    val_dataloader = test_dataloader = train_dataloader

class Heard(Callback):
    def on_train_epoch_end(self, trainer, module):
        calls.append(f"epoch {{trainer.current_epoch}}")

class Line(L.LightningModule):
    def __init__(self, width, lr=0.1, **rest):
        super().__init__()
        self.save_hyperparameters(ignore="width")
        self.one = nn.Linear(width, 1)
    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = ((self.one(x) - y) ** 2).mean()
        self.log("loss", loss)
        return {{"loss": loss}}
    def validation_step(self, batch, batch_idx):
        calls.append(f"{{self.training}} {{torch.is_grad_enabled()}}")
        self.log("val", 2.0)
    def on_validation_epoch_end(self):
        calls.append("validated")
    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), self.hparams.lr)
        return {{"optimizer": optimizer, "lr_scheduler": {{"scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1)}}}}

model = Line(3, lr=0.05, depth=2)
before = model.one.weight.clone()
saver = ModelCheckpoint(monitor="val")
trainer = pl.Trainer(max_epochs=5, callbacks=[Heard(), saver], accelerator="gpu", devices=2)
trainer.fit(model, datamodule=Data())
facts["moved"] = not torch.equal(before, model.one.weight)
facts["kept"] = sorted(model.hparams.items())
facts["calls"] = sorted(set(calls), key=calls.index)
facts["logged"] = sorted(trainer.callback_metrics)
facts["same"] = Line.load_from_checkpoint(saver.best_model_path) is model

class Pair(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)
        self.seen = []
    def training_step(self, batch, batch_idx, optimizer_idx):
        self.seen.append((optimizer_idx, self.a.weight.requires_grad, self.b.weight.requires_grad))
        return (self.a(batch[0]) + self.b(batch[0])).sum()
    def configure_optimizers(self):
        return [torch.optim.SGD(self.a.parameters(), 0.1), torch.optim.SGD(self.b.parameters(), 0.1)], []

pair = Pair()
pl.Trainer().fit(pair, DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=4))
facts["pair"] = pair.seen
print(json.dumps(facts))
"""

TRAINER = f"""{HIDE}
import evaluate
import numpy as np
import torch
from datasets import Dataset, DatasetDict, load_dataset
from transformers import BertConfig, BertForSequenceClassification, EarlyStoppingCallback, Trainer, TrainingArguments

rows = load_dataset("glue", "sst2")
facts["public"] = [list(rows), rows["train"].column_names, rows["train"].features["label"].num_classes]
own = Dataset.from_dict({{"text": ["a b", "c", "d e f", "g"] * 5, "label": [0, 1, 1, 0] * 5}})
own = own.map(lambda batch: {{"input_ids": [[5 + len(text) % 3] * 4 for text in batch["text"]]}}, batched=True, remove_columns=["text"])
own = own.filter(lambda row: row["label"] < 2).shuffle(seed=1).train_test_split(test_size=4)
own.set_format("torch")
facts["own"] = [len(own["train"]), len(own["test"]), list(own["train"][0]["input_ids"].shape), own["train"][:3]["label"].dtype is torch.int64]
try:
    own["train"].map(lambda batch: {{"more": [1]}}, batched=True)
except ValueError as error:
    facts["ragged"] = "remove_columns" in str(error)
metric = evaluate.load("accuracy")
try:
    metric.compute(predictions=[1], references=[1, 0])
except ValueError as error:
    facts["counted"] = str(error)
model = BertForSequenceClassification(BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8))
before = model.classifier.weight.detach().clone()
seen = []
def measured(given):
    seen.append([list(given.predictions.shape), list(given.label_ids.shape)])
    return metric.compute(predictions=given.predictions.argmax(-1), references=given.label_ids)
arguments = TrainingArguments("out", evaluation_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True, warmup_ratio=0.1, report_to="none")
trainer = Trainer(model=model, args=arguments, train_dataset=own["train"], eval_dataset=own["test"], compute_metrics=measured, callbacks=[EarlyStoppingCallback(2)])
trainer.train()
facts["moved"] = not torch.equal(before, model.classifier.weight.detach())
facts["seen"], facts["score"] = seen[0], "eval_accuracy" in trainer.evaluate()
print(json.dumps(facts))
"""


def test_lightning_calls_the_hooks_of_a_module_where_it_is_not_installed(under_stand_ins):
    printed, notes = under_stand_ins(LIGHTNING)
    facts = json.loads(printed.splitlines()[-1])
    assert facts["moved"] and facts["same"]
    assert facts["kept"] == [["depth", 2], ["lr", 0.05]]
    assert facts["calls"] == ["setup fit", "False False", "validated", "epoch 0"]
    assert facts["logged"] == ["loss", "val"]
    assert facts["pair"] == [[0, True, False], [1, False, True]]
    assert {"lightning", "pytorch_lightning"} <= {
        fields["module"] for kind, fields, _ in notes if kind == "stand-in-module"
    }
    assert any(kind == "library-loop" for kind, _, _ in notes)


def test_the_trainer_of_hugging_face_runs_without_accelerate_datasets_and_evaluate(under_stand_ins):
    printed, notes = under_stand_ins(TRAINER)
    facts = json.loads(printed.splitlines()[-1])
    assert facts["public"] == [["train", "validation", "test"], ["sentence", "label", "idx"], 2]
    assert facts["own"] == [16, 4, [4], True]
    assert facts["ragged"] and facts["counted"] == "Mismatch in the number of predictions (1) and references (2)"
    assert facts["moved"] and facts["seen"] == [[4, 2], [4]] and facts["score"]
    absent = {fields["module"] for kind, fields, _ in notes if kind == "stand-in-module"}
    assert {"accelerate", "datasets", "evaluate"} <= absent
    old = {fields["old"] for kind, fields, _ in notes if kind == "old-interface"}
    assert old == {"TrainingArguments(evaluation_strategy=…)", "TrainingArguments(warmup_ratio=…)"}


@pytest.mark.parametrize(
    "kind, pattern, lengths",
    [
        ("rearrange", "b c (h p) (w q) -> b (h w) (p q c)", {"p": 4, "q": 3}),
        ("rearrange", "b ... -> b (...)", {}),
        ("rearrange", "... h w -> ... w h", {}),
        ("rearrange", "b c h w -> (b c) 1 h w", {}),
        ("rearrange", "(b two) c h w -> two b (c h w)", {"two": 2}),
        ("repeat", "b c h w -> b c (h 2) (w 3)", {}),
        ("repeat", "... w -> ... (w k)", {"k": 2}),
        ("repeat", "b c h w -> (r b) c h w", {"r": 3}),
        ("mean", "b c h w -> b c 1 1", {}),
        ("max", "b c (h p) w -> b c h", {"p": 2}),
        ("sum", "b c h w -> ", {}),
        ("prod", "b c h w -> c", {}),
    ],
)
def test_patterns_of_axes_come_to_what_einops_makes_of_them(kind, pattern, lengths):
    real, ours = pytest.importorskip("einops"), runpy.run_path(str(EINOPS))
    given = torch.rand(2, 3, 8, 12)
    made = [
        getattr(found, kind)(given, pattern, **lengths)
        if kind in ("rearrange", "repeat")
        else found.reduce(given, pattern, kind, **lengths)
        for found in (real, SimpleNamespace(**ours))
    ]
    torch.testing.assert_close(*made)


def test_what_einops_refuses_is_refused():
    real, ours = pytest.importorskip("einops"), SimpleNamespace(**runpy.run_path(str(EINOPS)))
    given = torch.rand(2, 3, 8)
    for pattern, lengths in (
        ("b c (h p) -> b c h p", {"p": 5}),
        ("b c -> c b", {}),
        ("b c h -> b c", {}),
        ("b c h -> b c h d", {}),
    ):
        for found in (real, ours):
            with pytest.raises(found.EinopsError):
                found.rearrange(given, pattern, **lengths)
    parts = [torch.rand(2, 3, 4), torch.rand(2, 4)]
    packed, inner = ours.pack(parts, "b *")
    assert packed.shape == (2, 16) and [tuple(one.shape) for one in ours.unpack(packed, inner, "b *")] == [
        (2, 3, 4),
        (2, 4),
    ]
    names = "batch i wide, batch wide -> batch i"
    torch.testing.assert_close(ours.einsum(*parts, names), real.einsum(*parts, names))
