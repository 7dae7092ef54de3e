"""The base class of every picture set, and pictures made up on demand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import torch
from PIL import Image

from shapewright.run.stand_ins.context import tell


class VisionDataset(torch.utils.data.Dataset):
    """Keeps `root` and the transforms, as torchvision's."""

    def __init__(
        self,
        root: Any = None,
        transforms: Callable | None = None,
        transform: Callable | None = None,
        target_transform: Callable | None = None,
    ) -> None:
        self.root = root
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.transforms = transforms
        self.transform, self.target_transform = transform, target_transform

    def apply(self, picture: Any, target: Any) -> tuple[Any, Any]:
        """Run the transforms that were given."""
        if self.transforms is not None:
            return self.transforms(picture, target)
        if self.transform is not None:
            picture = self.transform(picture)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return picture, target

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        raise NotImplementedError


def made_up(shape: tuple[int, ...], index: int) -> numpy.ndarray:
    """Bytes of a picture, the same for an index at every run; `shape` is `(height, width)` or `(height, width, 3)`."""
    return numpy.random.RandomState(index % 997).randint(0, 256, shape, dtype="uint8")


class Labelled(VisionDataset):
    """A set of made-up pictures of one size whose labels go round the classes.

    `count` and `shape` say how many and how large; `classes` names the labels."""

    classes: list[str] = []
    shape: tuple[int, ...] = (32, 32, 3)

    def __init__(
        self, root: Any, count: int, transform: Any = None, target_transform: Any = None, transforms: Any = None
    ) -> None:
        super().__init__(root, transforms, transform, target_transform)
        self.class_to_idx = {name: index for index, name in enumerate(self.classes)}
        self._count = count
        if not self._read():
            tell(
                "stand-in-dataset",
                name=f"torchvision {type(self).__name__}",
                columns=f"{'×'.join(map(str, self.shape))}, {len(self.classes)} classes",
            )

    def _read(self) -> bool:
        """Read real files under `root`; tell whether there were any."""
        return False

    def label(self, index: int) -> int:
        """The class of a picture."""
        return (index * 7 + index // 10) % len(self.classes)

    def picture(self, index: int) -> Image.Image:
        """The picture at an index."""
        return Image.fromarray(made_up(self.shape, index))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        index = int(index)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"index {index} is out of bounds for a data set of {len(self)}")
        return self.apply(self.picture(index), self.label(index))

    def __repr__(self) -> str:
        return f"Dataset {type(self).__name__}\n    Number of datapoints: {len(self)}\n    Root location: {self.root}"


def folder_of(root: Any, *parts: str) -> Path | None:
    """`root/parts`, where it exists."""
    path = Path(str(root), *parts)
    return path if path.exists() else None
