"""Sums on the numbers of a message: factorings, nearest divisors, output sizes. All results are texts without words."""

from __future__ import annotations

import math
import re

CHANNELS = (512, 256, 128, 64, 32, 16, 8, 6, 3, 1)


def numbers(text: str) -> list[int]:
    """Every integer of a shape text, with its sign.

    >>> numbers("torch.Size([4, -1])")
    [4, -1]
    """
    return [int(number) for number in re.findall(r"-?\d+", text)]


def product(sizes: list[int]) -> int:
    """The number of elements of a shape; 1 for none."""
    return math.prod(sizes)


def times(sizes: list[int]) -> str:
    """`16·8·8`."""
    return "·".join(map(str, sizes))


def feature_maps(size: int, most: int = 3) -> str:
    """How `size` flattened features may be channels · height · width of square maps.

    >>> feature_maps(1024)
    '1·32·32 = 16·8·8 = 64·4·4'
    """
    found = []
    for channels in CHANNELS:
        side = math.isqrt(size // channels)
        if size % channels == 0 and side > 1 and size >= 64 and side * side * channels == size and side <= 64:
            found.append((abs(math.log(channels / side) - math.log(2)), channels, side))
    chosen = sorted(sorted(found)[:most], key=lambda item: -item[2])
    return " = ".join(f"{channels}·{side}·{side}" for _, channels, side in chosen)


def ratio(large: int, small: int) -> str:
    """`4096 = 4 × 1024` where the one is a multiple of the other, else empty.

    >>> ratio(1024, 4096)
    '4096 = 4 × 1024'
    """
    large, small = max(large, small), min(large, small)
    return f"{large} = {large // small} × {small}" if small > 1 and large != small and large % small == 0 else ""


def divisors_near(size: int, wanted: int, most: int = 3) -> list[int]:
    """The divisors of `size` nearest to `wanted`, in order of size.

    >>> divisors_near(4096, 1000)
    [512, 1024, 2048]
    """
    divisors = (
        {part for low in range(1, math.isqrt(size) + 1) if size % low == 0 for part in (low, size // low)}
        if size
        else set()
    )
    near = sorted(divisors, key=lambda part: abs(math.log(part / max(1, wanted))))
    return sorted(near[:most])
