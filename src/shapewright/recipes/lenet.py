"""LeNet-5 on 28×28 digits, with its layer table (61,706 parameters).

The convolutional network of LeCun, Bottou, Bengio and Haffner (1998), in the form that text books train today: full
connections between the feature maps, an output layer of logits, cross-entropy. Does not reproduce the paper's RBF
output and connection table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from shapewright.recipes import summary
from shapewright.recipes.data import augment, pictures
from shapewright.recipes.loop import classification, hardware, schedule, seeding
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.update import update
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, resolve

name = "lenet"


@dataclass
class Args(CommonArgs):
    """LeNet-5 on 28×28 digits."""

    data: str = ""
    """Empty: the embedded digits. Otherwise mnist, fashion-mnist, a folder of IDX files, or a folder with one subfolder
    of images per class."""
    epochs: int = 15
    """Passes over the training set."""
    batch_size: int = 64
    """Images per micro-batch and process."""
    lr: float = 2e-3
    """Peak learning rate; it falls to zero following a cosine."""
    activation: Literal["tanh", "relu", "sigmoid"] = "tanh"
    """Activation between the layers. The paper uses a scaled tanh."""
    shift: int = 2
    """Augmentation: shift each training image by up to this many pixels; 0 does not shift it."""
    limit: int = 0
    """Use only this many training images; 0 uses all."""


class LeNet(nn.Sequential):
    """1×28×28 → conv 6@5 pad 2 → pool → conv 16@5 → pool → 120 → 84 → classes. Shape: (B, 1, 28, 28) -> (B, classes)"""

    def __init__(self, classes: int = 10, activation: Literal["tanh", "relu", "sigmoid"] = "tanh") -> None:
        bend = {"tanh": nn.Tanh, "relu": nn.ReLU, "sigmoid": nn.Sigmoid}[activation]
        super().__init__(
            nn.Conv2d(1, 6, kernel_size=5, padding=2),
            bend(),
            nn.AvgPool2d(2),
            nn.Conv2d(6, 16, kernel_size=5),
            bend(),
            nn.AvgPool2d(2),
            nn.Flatten(),
            nn.Linear(16 * 5 * 5, 120),
            bend(),
            nn.Linear(120, 84),
            bend(),
            nn.Linear(84, classes),
        )


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    data = pictures.load(args.data, limit=args.limit)
    train_NCHW = data.normalised(data.train_images).to(accelerator.device)
    test_NCHW = data.normalised(data.test_images).to(accelerator.device)
    train_N, test_N = data.train_labels.to(accelerator.device), data.test_labels.to(accelerator.device)

    model = LeNet(len(data.classes), args.activation).to(accelerator.device, memory_format=torch.channels_last)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, fused=accelerator.device.type != "mps")
    accelerator.print(f"{name} on {data.source}: {len(train_N):,} to train, {len(test_N):,} to test")
    if args.preflight:
        accelerator.print(
            preflight(model, classification.step, (train_NCHW[: args.batch_size], train_N[: args.batch_size])).line
        )
    if accelerator.is_main_process:
        summary.show(summary.table(model, (1, 28, 28)), title="LeNet-5")

    per_epoch = -(-len(train_N) // (args.batch_size * args.accumulate * accelerator.num_processes))
    scheduler = schedule.cosine(optimizer, args.epochs * per_epoch)
    model, optimizer = hardware.prepared(accelerator, model, optimizer)
    run = Run(
        name,
        args,
        accelerator,
        modules={"model": model},
        optimizers={"optimizer": optimizer},
        stateful={"scheduler": scheduler},
        best="test_accuracy",
        mode="max",
    )
    order = run.order(len(train_N), args.batch_size)

    def loss_sum(index_B: Tensor) -> Tensor:
        return classification.loss_sum(run, model(augment.shift(train_NCHW[index_B], args.shift)), train_N[index_B])

    with run:
        if not run.resumed:
            run.board.graph(hardware.unwrapped(accelerator, model), train_NCHW[:1])
        while run.goes_on(args.epochs):
            for batch in run.batches(order):
                update(accelerator, model, optimizer, batch.pieces, loss_sum, batch.total, share=batch.share)
                scheduler.step()
            metrics = classification.evaluate(run, model, test_NCHW, test_N)
            run.board.scalars({**classification.scalars(metrics), "lr": scheduler.get_last_lr()[0]}, run.state.step)
            run.end_epoch(metrics)
        return run.finish(classification.COLUMNS)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
