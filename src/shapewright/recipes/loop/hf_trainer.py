"""Hugging Face's `Trainer` with this project's order of samples, progress, event files, Ctrl-C and checkpoints.

Its own length-grouped sampler draws from the global generator, so a run resumed within an epoch would see another
order; `ordered` gives it a pure function of seed and epoch. Its checkpoints are folders written file by file: one
counts only once `Watch` has marked it whole.
"""

from __future__ import annotations

import contextlib
import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from transformers import Trainer, TrainerCallback

from . import checkpoint, processes, sharding
from .board import Board
from .early_stopping import EarlyStopping
from .interrupt import Interrupts
from .order import Order
from .progress import Progress

SHARDS = "shards"


class EpochSampler(torch.utils.data.Sampler):
    """The samples of an `Order`, whose epoch the loader sets."""

    def __init__(self, order: Order) -> None:
        self.order, self.number = order, 0

    def set_epoch(self, epoch: int) -> None:
        self.number = epoch

    def __iter__(self) -> Iterator[int]:
        return iter(self.order.permutation(self.number).tolist())

    def __len__(self) -> int:
        return self.order.size


class OrderedTrainer(Trainer):
    """A `Trainer` that takes its samples in the order of an `Order`, and leaves a model that `sharding.shard` divided
    as it is. Such a model's checkpoints hold every process's part, in `shards/`, and go on with any number of them."""

    # The library's own word for a model that nobody is to wrap, move or divide again.
    is_distributed_loading_by_transformers = property(lambda self: self.divided, lambda self, _: None)

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        self.order, self.divided = order, sharding.sharded(kwargs["model"])
        super().__init__(*args, **kwargs)

    def _get_train_sampler(self, *_: Any) -> EpochSampler:
        return EpochSampler(self.order)

    @contextlib.contextmanager
    def _defer_fsdp_gradient_reduction(self) -> Iterator[None]:
        self.model.set_requires_gradient_sync(False)
        yield
        self.model.set_requires_gradient_sync(True)

    def save_model(self, output_dir: str | None = None, _internal_call: bool = False) -> None:
        if not self.divided:
            super().save_model(output_dir, _internal_call)
        elif self.args.should_save:  # The weights go with the optimiser.
            self.processing_class.save_pretrained(output_dir)

    def _save_optimizer_and_scheduler(self, output_dir: str) -> None:
        if not self.divided:
            return super()._save_optimizer_and_scheduler(output_dir)
        folder = Path(output_dir, SHARDS)
        numbers = sharding.write(folder, self.model, self.optimizer.optimizer)
        if self.args.should_save:
            state = {"optimizer": numbers, "scheduler": self.lr_scheduler.state_dict()}
            checkpoint.replace(folder / "numbers.json", json.dumps(state).encode())

    def _load_from_checkpoint(self, *args: Any, **kwargs: Any) -> None:
        if not self.divided:
            super()._load_from_checkpoint(*args, **kwargs)

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if not self.divided or checkpoint is None:
            return super()._load_optimizer_and_scheduler(checkpoint)
        folder = Path(checkpoint, SHARDS)
        state = json.loads((folder / "numbers.json").read_text())
        sharding.read(folder, self.model, self.optimizer.optimizer, state["optimizer"])
        self.lr_scheduler.load_state_dict(state["scheduler"])


def newest(folder: Path) -> Path | None:
    """The last whole checkpoint of a folder; those that a killed run left unfinished are removed."""
    found = checkpoint.whole(folder)
    for path in folder.glob("checkpoint-*"):
        if path not in found:
            shutil.rmtree(path, ignore_errors=True)
    return found[-1] if found else None


class Watch(TrainerCallback):
    """Progress, event files, the best weights, early stopping and Ctrl-C for a `Trainer`.

    `history` holds one row of metrics per epoch; `best` the metric that is to grow.
    """

    def __init__(
        self,
        folder: Path,
        board: Board,
        progress: Progress,
        stopping: EarlyStopping,
        *,
        save_every: int,
        history: list[dict[str, float]],
    ) -> None:
        self.folder, self.board, self.progress, self.stopping = folder, board, progress, stopping
        self.save_every, self.history = save_every, history
        self.interrupts = Interrupts()
        self.loss, self.ended, self.diverged = 0.0, "", ""
        for row in history:
            self.stopping.update(row["test_accuracy"])

    def on_epoch_begin(self, args, state, control, **_):
        self.progress.start(f"epoch {int(state.epoch or 0) + 1}", state.max_steps, state.global_step)

    def on_step_end(self, args, state, control, **_):
        self.progress.advance(
            state.global_step,
            args.train_batch_size * args.gradient_accumulation_steps * args.world_size,
            lambda: {"loss": self.loss},
        )
        if self.interrupts.asked:
            self.ended = "asked"
            control.should_save = control.should_training_stop = True
        if self.save_every and state.global_step % self.save_every == 0:
            control.should_save = True

    def on_epoch_end(self, args, state, control, **_):
        # A run that was asked to stop leaves its epoch unfinished: there is nothing to evaluate yet, and it is saved
        # already.
        control.should_evaluate = control.should_log = control.should_save = self.ended != "asked"

    def on_log(self, args, state, control, logs=None, **_):
        logs = logs or {}
        if "loss" in logs:
            self.loss = float(logs["loss"])
            named = {"loss": "train/loss", "grad_norm": "gradient norm", "learning_rate": "lr"}
            self.board.scalars({tag: float(logs[key]) for key, tag in named.items() if key in logs}, state.global_step)
            if not math.isfinite(self.loss):
                self.diverged = (
                    f"the training loss became {self.loss} by step {state.global_step}; "
                    "the last whole checkpoint is kept"
                )
                control.should_training_stop = True

    def on_evaluate(self, args, state, control, metrics=None, model=None, **_):
        row = {
            "epoch": round(state.epoch),
            "step": state.global_step,
            "train_loss": self.loss,
            "test_loss": metrics["eval_loss"],
            "test_accuracy": metrics["eval_accuracy"],
        }
        self.board.scalars({"test/loss": row["test_loss"], "test/accuracy": row["test_accuracy"]}, state.global_step)
        divided = sharding.sharded(model)
        if not divided:
            self.board.histograms(model, state.global_step)
        self.progress.epoch(row["epoch"], {key: row[key] for key in ("train_loss", "test_loss", "test_accuracy")})
        better = self.stopping.update(row["test_accuracy"])
        self.history.append(row)
        weights = (sharding.full_weights(model) if divided else model.state_dict()) if better else {}
        if weights and state.is_world_process_zero:
            checkpoint.write(self.folder / "best.safetensors", weights, {"metrics": row})
        if self.stopping.done:
            self.ended = f"test_accuracy has not improved for {self.stopping.patience} evaluations"
            control.should_training_stop = True

    def on_save(self, args, state, control, **_):
        processes.wait(PartialState().device)  # Each process writes its generators; the mark says that all of them did.
        if state.is_world_process_zero:
            self.board.flush()
            checkpoint.replace(self.folder / f"checkpoint-{state.global_step}" / checkpoint.WHOLE, b"")
            for path in checkpoint.whole(self.folder)[:-2]:
                # The mark goes first: a folder half removed must not count as whole.
                (path / checkpoint.WHOLE).unlink()
                shutil.rmtree(path, ignore_errors=True)
