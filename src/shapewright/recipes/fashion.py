"""The Fashion-MNIST classifier: a 784-512-512-10 perceptron; mean and standard deviation come from the training set.

The published run: SGD with learning rate 1e-3, StepLR(30, 0.1), batches of 32, five epochs. Its augmentation chain
(crop to 18×18, colour jitter, random invert, normalise) is one switch. Gets Fashion-MNIST only where it is asked to
(`--data fashion-mnist`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from shapewright.recipes.data import augment, pictures
from shapewright.recipes.loop import classification, hardware, seeding
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.update import update
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, resolve

name = "fashion"
SIDE = 18
"""Pixels that the augmentation's crop leaves of 28."""


@dataclass
class Args(CommonArgs):
    """A perceptron on Fashion-MNIST."""

    data: str = ""
    """Empty: the embedded digits. Otherwise fashion-mnist, mnist, a folder of IDX files, or a folder with one subfolder
    of images per class."""
    epochs: int = 0
    """Passes over the training set; 0 means the published 5, or 60 for the embedded digits, a data set forty times
    smaller."""
    batch_size: int = 32
    """Images per micro-batch and process."""
    lr: float = 1e-3
    """Learning rate of SGD at the start."""
    momentum: float = 0.0
    """Momentum of SGD; the published run uses none."""
    scheduler_step: int = 30
    """Epochs between two reductions of the learning rate."""
    scheduler_gamma: float = 0.1
    """Factor by which the learning rate is multiplied each time."""
    width: int = 512
    """Units of each hidden layer."""
    augmented: bool = False
    """Train on random 18×18 crops with random brightness, contrast and inversion; test on the central 18×18 pixels."""
    limit: int = 0
    """Use only this many training images; 0 uses all."""


class Perceptron(nn.Sequential):
    """pixels-512-512-classes with ReLU. Shape: (B, C, H, W) with C·H·W = pixels -> (B, classes)"""

    def __init__(self, pixels: int = 784, width: int = 512, classes: int = 10) -> None:
        super().__init__(
            nn.Flatten(),
            nn.Linear(pixels, width),
            nn.ReLU(),
            nn.Linear(width, width),
            nn.ReLU(),
            nn.Linear(width, classes),
        )


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    epochs = args.epochs or (5 if args.data else 60)
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    data = pictures.load(args.data, limit=args.limit)
    channels, side = data.train_images.shape[1], data.train_images.shape[2]
    mean_C, std_C = data.mean.to(accelerator.device), data.std.to(accelerator.device).clamp_min(1e-6)

    def normalised(images_BCHW: Tensor) -> Tensor:
        return (images_BCHW - mean_C[:, None, None]) / std_C[:, None, None]

    def train_view(images_BCHW: Tensor) -> Tensor:
        """The augmentation chain; without it the pictures are normalised already."""
        if not args.augmented:
            return images_BCHW
        return normalised(augment.random_invert(augment.colour_jitter(augment.random_crop(images_BCHW, SIDE))))

    def test_view(images_BCHW: Tensor) -> Tensor:
        return normalised(augment.centre_crop(images_BCHW, SIDE)) if args.augmented else images_BCHW

    train_NCHW, test_NCHW = (
        images.to(accelerator.device).float() / 255 for images in (data.train_images, data.test_images)
    )
    if not args.augmented:
        train_NCHW, test_NCHW = normalised(train_NCHW), normalised(test_NCHW)
    train_N, test_N = data.train_labels.to(accelerator.device), data.test_labels.to(accelerator.device)

    model = Perceptron(channels * (SIDE if args.augmented else side) ** 2, args.width, len(data.classes)).to(
        accelerator.device
    )
    statistics = ", ".join(f"mean {mean:.4f} std {std:.4f}" for mean, std in zip(data.mean.tolist(), data.std.tolist()))
    accelerator.print(f"{name} on {data.source}: {len(train_N):,} to train, {len(test_N):,} to test; {statistics}")
    if args.preflight:
        accelerator.print(
            preflight(
                model, classification.step, (train_view(train_NCHW[: args.batch_size]), train_N[: args.batch_size])
            ).line
        )

    plain = model
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum, fused=True)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, args.scheduler_step, args.scheduler_gamma)
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
        return classification.loss_sum(run, model(train_view(train_NCHW[index_B])), train_N[index_B])

    with run:
        if not run.resumed:
            run.board.graph(plain, test_view(test_NCHW[:1]))
            run.board.images("pictures/inputs", train_view(train_NCHW[:32]), 0)
        while run.goes_on(epochs):
            for batch in run.batches(order):
                update(accelerator, model, optimizer, batch.pieces, loss_sum, batch.total, share=batch.share)
            metrics = classification.evaluate(run, model, test_NCHW, test_N, view=test_view)
            run.board.scalars({**classification.scalars(metrics), "lr": scheduler.get_last_lr()[0]}, run.state.step)
            run.board.histograms(plain, run.state.step)
            scheduler.step()
            run.end_epoch(metrics)
            if not run.goes_on(epochs):
                run.board.hparams(
                    {
                        "batch_size": args.batch_size,
                        "lr": args.lr,
                        "momentum": args.momentum,
                        "augmented": args.augmented,
                    },
                    metrics,
                )
        return run.finish(classification.COLUMNS)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
