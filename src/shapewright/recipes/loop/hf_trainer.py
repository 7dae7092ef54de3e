"""Hugging Face's `Trainer` with this project's order of samples, progress, event files, Ctrl-C and checkpoints.

Its own length-grouped sampler draws from the global generator, so a run resumed within an epoch would see another
order; `ordered` gives it a pure function of seed and epoch. Its checkpoints are folders written file by file: one
counts only once `Watch` has marked it whole.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers import Trainer, TrainerCallback

from . import checkpoint
from .board import Board
from .early_stopping import EarlyStopping
from .interrupt import Interrupts
from .order import Order
from .progress import Progress


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
    """A `Trainer` that takes its samples in the order of an `Order`."""

    def __init__(self, *args: Any, order: Order, **kwargs: Any) -> None:
        self.order = order
        super().__init__(*args, **kwargs)

    def _get_train_sampler(self, *_: Any) -> EpochSampler:
        return EpochSampler(self.order)


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
        self.board.histograms(model, state.global_step)
        self.progress.epoch(row["epoch"], {key: row[key] for key in ("train_loss", "test_loss", "test_accuracy")})
        better = self.stopping.update(row["test_accuracy"])
        self.history.append(row)
        if better and state.is_world_process_zero:
            checkpoint.write(self.folder / "best.safetensors", model.state_dict(), {"metrics": row})
        if self.stopping.done:
            self.ended = f"test_accuracy has not improved for {self.stopping.patience} evaluations"
            control.should_training_stop = True

    def on_save(self, args, state, control, **_):
        if state.is_world_process_zero:
            self.board.flush()
            checkpoint.replace(self.folder / f"checkpoint-{state.global_step}" / checkpoint.WHOLE, b"")
            for path in checkpoint.whole(self.folder)[:-2]:
                # The mark goes first: a folder half removed must not count as whole.
                (path / checkpoint.WHOLE).unlink()
                shutil.rmtree(path, ignore_errors=True)
