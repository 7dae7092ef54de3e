"""Stands for the handwritten digits that tutorials of TensorFlow 1 came with, which no TensorFlow has any more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy

from shapewright.run.stand_ins.context import tell

__all__ = ["input_data"]


class _Digits:
    def __init__(self, count: int, one_hot: bool, flat: bool) -> None:
        noise = numpy.random.RandomState(0).rand(500, 784).astype(numpy.float32)
        self.images = numpy.resize(
            noise if flat else noise.reshape(-1, 28, 28, 1), (count, *((784,) if flat else (28, 28, 1)))
        )
        numbers = numpy.arange(count) % 10
        self.labels = numpy.eye(10)[numbers] if one_hot else numbers.astype(numpy.uint8)
        self.num_examples, self._next, self.epochs_completed = count, 0, 0

    def next_batch(self, batch_size: int, *_: object, **__: object) -> tuple[Any, Any]:
        """The next pictures and labels; from the first again after the last."""
        rows = (self._next + numpy.arange(batch_size)) % self.num_examples
        self._next += batch_size
        self.epochs_completed = self._next // self.num_examples
        return self.images[rows], self.labels[rows]


def _read(train_dir: str = "", one_hot: bool = False, reshape: bool = True, **_: object) -> Any:
    tell("stand-in-dataset", name="MNIST", columns="images, labels")
    parts = {"train": 5500, "validation": 500, "test": 1000}
    return SimpleNamespace(**{name: _Digits(count, one_hot, reshape) for name, count in parts.items()})


input_data = SimpleNamespace(read_data_sets=_read)
