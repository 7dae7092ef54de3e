"""Shape arithmetic without tensors: what the operators compute, and what does not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence

Shape = tuple[int, ...]


def broadcast(*shapes: Shape) -> Shape | None:
    """The common shape, or `None` where there is none.

    >>> broadcast((8, 1, 3), (5, 1))
    (8, 5, 3)
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result = []
    for back in range(-rank, 0):
        sizes = {shape[back] for shape in shapes if -back <= len(shape)} - {1}
        if len(sizes) > 1:
            return None
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def disagreeing(one: Shape, other: Shape) -> list[int]:
    """Axes, counted from the end (-1 is the last), on which two shapes do not broadcast.

    >>> disagreeing((16, 4), (16, 3))
    [-1]
    """
    return [
        back
        for back in range(-1, -min(len(one), len(other)) - 1, -1)
        if one[back] != other[back] and 1 not in (one[back], other[back])
    ]


def elements(shape: Sequence[int]) -> int:
    """How many elements a shape has; a size of -1 is left out."""
    return math.prod(size for size in shape if size != -1)


def convolved(size: int, kernel: int, stride: int = 1, padding: int = 0, dilation: int = 1) -> int:
    """The length of a convolved or pooled axis. (PyTorch documentation of `Conv2d`.)

    >>> convolved(28, 5)
    24
    """
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def pair(value: object, count: int, default: int = 1) -> tuple[int, ...]:
    """A size given once or for every spatial axis, as `count` numbers."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value,) * count
    if isinstance(value, (tuple, list)) and value and all(isinstance(v, int) for v in value):
        return tuple(value) * count if len(value) == 1 else tuple(value)[:count]
    return (default,) * count


def swapped_to_fit(shape: Shape, wanted: int, axis: int) -> int | None:
    """Another axis that has the wanted size (two axes may have changed places), or `None`.

    >>> swapped_to_fit((4, 10, 300), 4, 1)
    0
    """
    return next((i for i, size in enumerate(shape) if size == wanted and i != axis % len(shape)), None)
