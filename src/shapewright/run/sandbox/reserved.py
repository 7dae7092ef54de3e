"""Arrays that a script reserves and fills only in part, such as a replay buffer of a million pictures: pages that cost
nothing until they are written, and that the bound on memory does not count."""

from __future__ import annotations

import functools
import math
import mmap
from collections.abc import Callable
from typing import Any

import numpy

LARGE, MOST = 1 << 30, 1 << 38  # bytes
RESERVED = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)


def reserve() -> None:
    """Let `numpy.zeros` and `numpy.empty` reserve what is large."""
    for name in ("zeros", "empty"):
        make = getattr(numpy, name)
        setattr(numpy, name, _reserving(getattr(make, "__wrapped__", make)))


def _reserving(make: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(make)
    def made(shape: Any, dtype: Any = float, *others: Any, **options: Any) -> Any:
        kind = numpy.dtype(dtype) if not (others or options) and isinstance(dtype, (type, str, numpy.dtype)) else None
        if kind is None or kind.hasobject or not isinstance(shape, (tuple, list)):
            return make(shape, dtype, *others, **options)
        if not all(isinstance(size, (int, numpy.integer)) and size >= 0 for size in shape):
            return make(shape, dtype)
        count = math.prod(map(int, shape)) * kind.itemsize
        if not LARGE <= count <= MOST:
            return make(shape, dtype)
        return numpy.frombuffer(mmap.mmap(-1, count, flags=RESERVED), kind).reshape(shape)

    made.__wrapped__ = make  # type: ignore[attr-defined]
    return made
