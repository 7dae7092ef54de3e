"""TensorBoard event files, written by the main process only. Nothing is imported where it is off.

A resumed run purges what a killed one wrote after its last checkpoint, so curves have no loops in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .tracker import Tracker


class Board:
    """Thin over `SummaryWriter`; every method does nothing where `enabled` is false. Scalars go to `tracker`, too."""

    def __init__(
        self,
        folder: str | Path,
        *,
        enabled: bool = True,
        purge_step: int | None = None,
        tracker: Tracker | None = None,
    ) -> None:
        self.tracker = tracker
        self.writer: Any = None
        if enabled:
            from torch.utils.tensorboard import SummaryWriter

            self.writer = SummaryWriter(str(folder), purge_step=purge_step)

    def __bool__(self) -> bool:
        return self.writer is not None

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        """Scalars by tag, such as `train/loss`."""
        if self.tracker:
            self.tracker.log(dict(values), step=step)
        if self.writer:
            for tag, value in values.items():
                self.writer.add_scalar(tag, value, step)

    def histograms(self, model: nn.Module, step: int) -> None:
        """Weights and gradients of every layer, for the histogram and the distribution tab."""
        if self.writer:
            for name, parameter in model.named_parameters():
                path = name.replace(".", "/")
                self.writer.add_histogram(f"weights/{path}", parameter.detach().float().cpu(), step)
                if parameter.grad is not None:
                    self.writer.add_histogram(f"gradients/{path}", parameter.grad.detach().float().cpu(), step)

    def histogram(self, tag: str, values: Tensor, step: int) -> None:
        if self.writer:
            self.writer.add_histogram(tag, values.detach().float().cpu(), step)

    def images(self, tag: str, images_BCHW: Tensor, step: int, columns: int = 8) -> None:
        """A grid of images, each scaled to its own range. Shape: (images, 1 or 3, height, width)"""
        if self.writer:
            self.writer.add_image(tag, grid(images_BCHW.detach().float().cpu(), columns), step)

    def graph(self, model: nn.Module, example: Any) -> None:
        """The model's graph. Traced with gradients off, in evaluation mode, on a throw-away call."""
        if self.writer:
            training = model.training
            model.eval()
            with torch.no_grad():
                self.writer.add_graph(model, example, use_strict_trace=False)
            model.train(training)

    def projector(
        self, features_BH: Tensor, labels: Sequence[str], images_BCHW: Tensor | None, step: int, tag: str = "features"
    ) -> None:
        """Points for the projector tab with labels and, where given, a sprite image of square pictures.

        Shape: features (points, features); images (points, channels, side, side) in 0…1.
        """
        if self.writer:
            sprites = None if images_BCHW is None else images_BCHW.detach().float().cpu()
            self.writer.add_embedding(
                features_BH.detach().float().cpu(), metadata=list(labels), label_img=sprites, global_step=step, tag=tag
            )

    def text(self, tag: str, text: str, step: int) -> None:
        if self.writer:
            self.writer.add_text(tag, text, step)

    def figure(self, tag: str, figure: Any, step: int) -> None:
        """A matplotlib figure."""
        if self.writer:
            self.writer.add_figure(tag, figure, step)

    def hparams(self, settings: Mapping[str, Any], metrics: Mapping[str, float]) -> None:
        """Settings with final metrics, in the run's own folder (SummaryWriter.add_hparams would make a folder of its
        own)."""
        if self.writer:
            from torch.utils.tensorboard.summary import hparams

            plain = {
                key: value if isinstance(value, (bool, int, float, str)) else str(value)
                for key, value in settings.items()
            }
            tagged = {f"hparams/{key}": value for key, value in metrics.items()}
            for part in hparams(plain, tagged):
                self.writer.file_writer.add_summary(part)
            for key, value in tagged.items():
                self.writer.add_scalar(key, value)

    def flush(self) -> None:
        if self.writer:
            self.writer.flush()

    def close(self) -> None:
        if self.tracker:
            self.tracker.finish()
        if self.writer:
            self.writer.close()


def grid(images_BCHW: Tensor, columns: int = 8, gap: int = 1) -> Tensor:
    """Images side by side, each stretched to 0…1, on a black ground. Shape: (B, C, H, W) -> (C, height, width)"""
    count, channels, height, width = images_BCHW.shape
    low = images_BCHW.amin(dim=(1, 2, 3), keepdim=True)
    span = (images_BCHW.amax(dim=(1, 2, 3), keepdim=True) - low).clamp_min(1e-12)
    scaled = (images_BCHW - low) / span
    columns = min(columns, count)
    rows = -(-count // columns)
    canvas = torch.zeros(channels, rows * (height + gap) - gap, columns * (width + gap) - gap)
    for number, image in enumerate(scaled):
        top, left = number // columns * (height + gap), number % columns * (width + gap)
        canvas[:, top : top + height, left : left + width] = image
    return canvas
