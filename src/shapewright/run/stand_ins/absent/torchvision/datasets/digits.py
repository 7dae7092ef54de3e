"""MNIST and the sets of its form. IDX files under `root/NAME/raw` are read."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy
import torch
from PIL import Image

from .vision import Labelled, folder_of, made_up


def _idx(path: Path) -> numpy.ndarray:
    """An IDX file, plain or gzipped, as an array of bytes."""
    opened = gzip.open(path) if path.suffix == ".gz" else open(path, "rb")
    with opened as file:
        data = file.read()
    sizes = [int.from_bytes(data[4 + 4 * axis : 8 + 4 * axis], "big") for axis in range(data[3])]
    return numpy.frombuffer(data, dtype="uint8", offset=4 + 4 * len(sizes)).reshape(sizes)


class MNIST(Labelled):
    """60,000 and 10,000 grey pictures of 28 × 28; `data` is `(count, 28, 28)` bytes, `targets` `(count,)`."""

    classes = [
        "0 - zero",
        "1 - one",
        "2 - two",
        "3 - three",
        "4 - four",
        "5 - five",
        "6 - six",
        "7 - seven",
        "8 - eight",
        "9 - nine",
    ]
    shape = (28, 28)
    counts = (60000, 10000)

    def __init__(
        self, root: Any, train: bool = True, transform: Any = None, target_transform: Any = None, download: bool = False
    ) -> None:
        self.train = train
        self._data: torch.Tensor | None = None
        super().__init__(root, self.counts[0 if train else 1], transform, target_transform)
        if self._data is None:
            self.targets = torch.tensor([self.label(index) for index in range(self._count)])

    def _read(self) -> bool:
        stem = "train" if self.train else "t10k"
        folder = folder_of(self.root, type(self).__name__, "raw")
        for suffix in ("", ".gz"):
            pictures = folder and folder / f"{stem}-images-idx3-ubyte{suffix}"
            labels = folder and folder / f"{stem}-labels-idx1-ubyte{suffix}"
            if pictures and labels and pictures.exists() and labels.exists():
                self._data = torch.from_numpy(_idx(pictures).copy())
                self.targets = torch.from_numpy(_idx(labels).astype("int64"))
                self._count = len(self._data)
                return True
        return False

    @property
    def data(self) -> torch.Tensor:
        """All the pictures, made when they are first asked for."""
        if self._data is None:
            base = torch.from_numpy(made_up((1000, *self.shape), 0))
            self._data = base.repeat(-(-self._count // 1000), 1, 1)[: self._count]
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        self._data = value

    train_data = test_data = data
    train_labels = test_labels = property(lambda self: self.targets)

    def __len__(self) -> int:
        return self._count if self._data is None else len(self._data)

    def picture(self, index: int) -> Image.Image:
        """The picture at an index."""
        if self._data is not None:
            return Image.fromarray(self._data[index].numpy())
        return super().picture(index)

    def label(self, index: int) -> int:
        """The class of a picture."""
        targets = self.__dict__.get("targets")
        return int(targets[index]) if targets is not None else super().label(index)


class FashionMNIST(MNIST):
    """Clothes in MNIST's form."""

    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


class KMNIST(MNIST):
    """Hiragana in MNIST's form."""

    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]


class QMNIST(MNIST):
    """MNIST with its lost test digits."""

    counts = (60000, 60000)


class USPS(MNIST):
    """7,291 and 2,007 digits of 16 × 16."""

    shape = (16, 16)
    counts = (7291, 2007)


class EMNIST(MNIST):
    """Letters and digits; `split` names the selection."""

    splits = {
        "byclass": (62, 697932, 116323),
        "bymerge": (47, 697932, 116323),
        "balanced": (47, 112800, 18800),
        "letters": (27, 124800, 20800),
        "digits": (10, 240000, 40000),
        "mnist": (10, 60000, 10000),
    }

    def __init__(self, root: Any, split: str, train: bool = True, **options: Any) -> None:
        number, *self.counts = self.splits[split]
        self.split = split
        self.classes = [str(index) for index in range(number)]
        super().__init__(root, train=train, **options)

    def label(self, index: int) -> int:
        """The class of a picture; letters count from 1."""
        found = super().label(index)
        return max(found, 1) if self.split == "letters" else found
