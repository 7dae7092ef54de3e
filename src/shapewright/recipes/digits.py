"""A small CNN on handwritten digits that logs everything TensorBoard can show.

Scalars, histograms of every layer's weights and gradients, the graph, the input grid, the first layer's filters, both
convolutions' feature maps, the 32-d features in the projector with a sprite image, and hparams. Called from Python with
an `hparams` dict and a `log_dir`, it makes one run of a sweep; `tensorboard --logdir runs` then compares them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from shapewright.recipes.data import augment, pictures
from shapewright.recipes.loop import classification, hardware, phases, seeding
from shapewright.recipes.loop.board import Board
from shapewright.recipes.loop.run import Run
from shapewright.recipes.loop.update import gradient_norm, update
from shapewright.recipes.preflight import preflight
from shapewright.recipes.settings import CommonArgs, resolve

name = "digits"
SWEPT = ("batch_size", "lr", "dropout", "optimizer", "weight_decay", "momentum", "scheduler_step", "scheduler_gamma")
"""What the hparams tab compares."""


@dataclass
class Args(CommonArgs):
    """A CNN on handwritten digits under TensorBoard."""

    data: str = ""
    """Empty: the embedded digits. Otherwise mnist, fashion-mnist, a folder of IDX files, or a folder with one subfolder
    of images per class."""
    epochs: int = 12
    """Passes over the training set."""
    batch_size: int = 64
    """Images per micro-batch and process."""
    lr: float = 2e-3
    """Learning rate at the start."""
    optimizer: Literal["adamw", "adam", "sgd"] = "adamw"
    """Which optimizer."""
    weight_decay: float = 1e-4
    """Weight decay: decoupled for adamw, an L2 penalty for the others."""
    momentum: float = 0.9
    """Momentum of sgd, and first beta of the others."""
    dropout: float = 0.25
    """Share of activations dropped before each fully connected layer."""
    scheduler_step: int = 4
    """Epochs between two reductions of the learning rate."""
    scheduler_gamma: float = 0.4
    """Factor by which the learning rate is multiplied each time."""
    shift: int = 2
    """Augmentation: shift the training images by up to this many pixels; 0 does not shift them."""
    size: int = 28
    """Height and width to which the images of a folder are resized."""
    colour: bool = False
    """Read the images of a folder with three channels."""
    limit: int = 0
    """Use only this many training images; 0 uses all."""
    log_every: int = 20
    """Steps between two recorded values of the training loss and the gradient norm."""
    histograms: bool = True
    """Write histograms of weights and gradients after every epoch."""
    projected: int = 300
    """Number of test images whose features go to the TensorBoard projector; 0 for none."""


class DigitNet(nn.Module):
    """Two convolutions, 32 features, logits. Shape: (B, C, H, W) -> (B, classes)"""

    def __init__(self, channels: int = 1, side: int = 28, classes: int = 10, dropout: float = 0.25) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, 16, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, kernel_size=3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.dropout = nn.Dropout(dropout)
        self.fc1 = nn.Linear(32 * (side // 4) ** 2, 32)
        self.fc2 = nn.Linear(32, classes)

    def features(self, images_BCHW: Tensor) -> Tensor:
        """What the first fully connected layer makes of the pictures. Shape: (B, C, H, W) -> (B, 32)"""
        maps_BCHW = self.pool(functional.relu(self.conv1(images_BCHW)))
        maps_BCHW = self.pool(functional.relu(self.conv2(maps_BCHW)))
        return functional.relu(self.fc1(self.dropout(maps_BCHW.flatten(1))))

    def forward(self, images_BCHW: Tensor) -> Tensor:
        return self.fc2(self.dropout(self.features(images_BCHW)))


def build_optimizer(model: nn.Module, args: Args) -> torch.optim.Optimizer:
    """The optimiser that the settings name, in its fused form."""
    if args.optimizer == "sgd":
        return torch.optim.SGD(
            model.parameters(), lr=args.lr, momentum=args.momentum, weight_decay=args.weight_decay, fused=True
        )
    kind = {"adamw": torch.optim.AdamW, "adam": torch.optim.Adam}[args.optimizer]
    return kind(
        model.parameters(), lr=args.lr, betas=(args.momentum, 0.999), weight_decay=args.weight_decay, fused=True
    )


def show_pictures(board: Board, model: DigitNet, images_NCHW: Tensor, step: int) -> None:
    """The input grid, the first layer's filters, and the feature maps of both convolutions for the first picture."""
    if not board:
        return
    maps: dict[str, Tensor] = {}
    hooks = [
        layer.register_forward_hook(lambda _module, _inputs, output_BCHW, key=key: maps.__setitem__(key, output_BCHW))
        for key, layer in (("conv1", model.conv1), ("conv2", model.conv2))
    ]
    with phases.evaluation(model):
        model(images_NCHW[:1])
    for hook in hooks:
        hook.remove()
    board.images("pictures/inputs", images_NCHW[:32], step)
    board.images("pictures/conv1 filters", model.conv1.weight.mean(1, keepdim=True), step)
    for key, maps_1CHW in maps.items():
        board.images(f"pictures/{key} feature maps", maps_1CHW.transpose(0, 1), step)


def project(board: Board, model: DigitNet, data: pictures.Pictures, images_NCHW: Tensor, count: int, step: int) -> None:
    """The test pictures' features, with labels and the pictures themselves as sprites."""
    if not board or not count:
        return
    with phases.evaluation(model):
        features_NH = model.features(images_NCHW[:count])
    labels = [data.classes[label] for label in data.test_labels[:count].tolist()]
    board.projector(features_NH, labels, data.test_images[:count].float() / 255, step)


def train(
    args: Args | None = None, *, hparams: Mapping[str, Any] | None = None, log_dir: str | Path | None = None
) -> dict[str, float]:
    """Train as `args` says, `hparams` and `log_dir` put over it; returns the last evaluation's metrics."""
    args = resolve(Args, args, name=name, hparams=hparams, log_dir=log_dir)
    accelerator = hardware.accelerator(args)
    seeding.seed_everything(args.seed)
    data = pictures.load(args.data, limit=args.limit, size=(args.size, args.size), channels=3 if args.colour else 1)
    train_NCHW = data.normalised(data.train_images).to(accelerator.device)
    test_NCHW = data.normalised(data.test_images).to(accelerator.device)
    train_N, test_N = data.train_labels.to(accelerator.device), data.test_labels.to(accelerator.device)

    model = DigitNet(train_NCHW.shape[1], train_NCHW.shape[2], len(data.classes), args.dropout).to(
        accelerator.device, memory_format=torch.channels_last
    )
    accelerator.print(f"{name} on {data.source}: {len(train_N):,} to train, {len(test_N):,} to test")
    if args.preflight:
        accelerator.print(
            preflight(model, classification.step, (train_NCHW[: args.batch_size], train_N[: args.batch_size])).line
        )

    plain = model
    optimizer = build_optimizer(model, args)
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
        return classification.loss_sum(run, model(augment.shift(train_NCHW[index_B], args.shift)), train_N[index_B])

    with run:
        if not run.resumed:
            run.board.graph(plain, train_NCHW[:1])
        while run.goes_on(args.epochs):
            for batch in run.batches(order):
                update(accelerator, model, optimizer, batch.pieces, loss_sum, batch.total, share=batch.share)
                if run.board and run.number % args.log_every == 0:
                    run.board.scalars(
                        {"train/loss so far": run.sums.mean("loss"), "gradient norm": gradient_norm(model)}, run.number
                    )
            metrics = classification.evaluate(run, model, test_NCHW, test_N)
            run.board.scalars({**classification.scalars(metrics), "lr": scheduler.get_last_lr()[0]}, run.state.step)
            if args.histograms:
                run.board.histograms(plain, run.state.step)
            show_pictures(run.board, plain, test_NCHW, run.state.step)
            scheduler.step()
            run.end_epoch(metrics)
            if not run.goes_on(args.epochs):
                project(run.board, plain, data, test_NCHW, args.projected, run.state.step)
                run.board.hparams(
                    {key: getattr(args, key) for key in SWEPT},
                    {key: metrics[key] for key in ("test_loss", "test_accuracy")},
                )
        return run.finish(classification.COLUMNS)


if __name__ == "__main__":
    from shapewright.commands.train import run_module

    raise SystemExit(run_module(name))
