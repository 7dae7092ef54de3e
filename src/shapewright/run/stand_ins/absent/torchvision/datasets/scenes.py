"""Sets whose targets are more than a class: boxes, masks, captions, attributes."""

from __future__ import annotations

from typing import Any

import torch
from PIL import Image

from shapewright.run.stand_ins.context import tell

from .vision import VisionDataset, made_up

_COUNT = 103
_HEIGHT, _WIDTH = 480, 640


class _Scenes(VisionDataset):
    """A hundred made-up pictures of one size."""

    def __init__(
        self,
        root: Any,
        *args: Any,
        transform: Any = None,
        target_transform: Any = None,
        transforms: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(root, transforms, transform, target_transform)
        self.ids = list(range(_COUNT))
        tell("stand-in-dataset", name=f"torchvision {type(self).__name__}", columns=f"{_HEIGHT}×{_WIDTH}×3")

    def target(self, index: int) -> Any:
        """The target of a picture."""
        raise NotImplementedError

    def __getitem__(self, index: int) -> Any:
        if not 0 <= index < _COUNT:
            raise IndexError(index)
        return self.apply(Image.fromarray(made_up((_HEIGHT, _WIDTH, 3), index)), self.target(index))

    def __len__(self) -> int:
        return _COUNT


class CocoDetection(_Scenes):
    """A list of annotations for each picture."""

    def target(self, index: int) -> Any:
        return [
            {
                "id": 10 * index + n,
                "image_id": index,
                "category_id": 1 + (index + n) % 90,
                "bbox": [20.0 * n, 30.0, 60.0, 40.0 + n],
                "area": 2400.0,
                "iscrowd": 0,
                "segmentation": [[20.0, 30.0, 80.0, 30.0, 80.0, 70.0]],
            }
            for n in range(1 + index % 3)
        ]


class CocoCaptions(_Scenes):
    """Five captions for each picture."""

    def target(self, index: int) -> Any:
        return [f"a picture of {'two ' * (n % 2)}things number {index}" for n in range(5)]


class VOCSegmentation(_Scenes):
    """A mask of 21 classes for each picture."""

    def target(self, index: int) -> Any:
        return Image.fromarray(made_up((_HEIGHT, _WIDTH), index) % 21)


class VOCDetection(_Scenes):
    """An annotation dictionary for each picture."""

    def target(self, index: int) -> Any:
        box = {"xmin": "20", "ymin": "30", "xmax": "80", "ymax": "70"}
        return {
            "annotation": {
                "filename": f"{index:06d}.jpg",
                "size": {"width": str(_WIDTH), "height": str(_HEIGHT), "depth": "3"},
                "object": [{"name": "cat", "bndbox": box}],
            }
        }


class CelebA(_Scenes):
    """40 attributes for each picture."""

    def target(self, index: int) -> Any:
        return (torch.arange(40) + index) % 2
