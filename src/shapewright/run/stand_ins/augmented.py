"""Pictures and masks that go through the augmentations of a library that is not installed: they come out as large as
its last step that names a size makes them, in floats where one scales them, as tensors where one makes them so. No
augmentation is imitated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import torch

from .context import tell

SIZING = ("Resize", "Crop", "PadIfNeeded")
SCALING = ("Normalize", "ToFloat")
MASKS = "mask"


class Augmented:
    """Steps, one after another.

    >>> Augmented([]).sized(numpy.zeros((4, 6, 3)), (2, 3)).shape
    (2, 3, 3)
    """

    def __init__(self, transforms: Any = (), *_: object, **__: object) -> None:
        self.transforms = list(transforms)

    def __len__(self) -> int:
        return len(self.transforms)

    def __getitem__(self, index: Any) -> Any:
        return self.transforms[index]

    def __call__(self, *_: object, **given: Any) -> dict[str, Any]:
        tell("stand-in-values", module="albumentations")
        return {name: self._made(name, value) for name, value in given.items()}

    def _made(self, name: str, value: Any) -> Any:
        if isinstance(value, (list, tuple)) and name.startswith(MASKS):
            return [self._made(name, part) for part in value]
        if not isinstance(value, numpy.ndarray) or value.ndim not in (2, 3):
            return value  # boxes, labels
        steps = [*_steps(self.transforms)]
        size = next((one for step in reversed(steps) if (one := _size(*step))), None)
        made = value if size is None else self.sized(value, size)
        plain = name.startswith(MASKS)
        if not plain and any(kind.startswith(SCALING) for kind, _ in steps):
            made = made.astype("float32") / (255 if made.dtype == numpy.uint8 else 1)
        if not any(kind.startswith("ToTensor") for kind, _ in steps):
            return made
        channels = made if plain or made.ndim == 2 else made.transpose(2, 0, 1)
        return torch.from_numpy(numpy.ascontiguousarray(channels if plain or made.ndim == 3 else channels[None]))

    @staticmethod
    def sized(picture: Any, size: tuple[int, int]) -> Any:
        """A picture of another height and width."""
        rows, columns = (numpy.arange(new) * old // new for new, old in zip(size, picture.shape))
        return picture[rows][:, columns]


def _steps(transforms: Any) -> Iterator[tuple[str, Any]]:
    """The names of steps, and how they were made; those inside of others too."""
    for step in transforms:
        if isinstance(step, Augmented):
            yield from _steps(step.transforms)
        elif (how := getattr(step, "_how", None)) is not None:
            inner = next((part for part in how.given if isinstance(part, (list, tuple))), ())
            yield from _steps(part for part in inner if hasattr(part, "_how"))
            yield type(step).__name__, how


def _size(name: str, how: Any) -> tuple[int, int] | None:
    """The height and width that a step names."""
    if not name.endswith(SIZING):
        return None
    options = how.options
    told = next((part for part in (*how.given, options.get("size")) if isinstance(part, (list, tuple))), None)
    sizes = [part for part in told or how.given if type(part) is int][:2]
    named = [options.get(key, options.get(f"min_{key}")) for key in ("height", "width")]
    sizes = sizes if len(sizes) == 2 else [one for one in (*sizes, *named) if type(one) is int]
    return (sizes[0], sizes[1]) if len(sizes) == 2 else None
