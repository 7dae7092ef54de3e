"""Raw arrays that are not on this machine, where the call itself tells their shape and type: `np.memmap`,
`np.fromfile`.

Whole numbers are small, so that they are indices into any vocabulary. Files that tell their own shape (`.npy`, `.npz`,
CSV) are not guessed.
"""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from typing import Any

import numpy

from .checkpoints import stands_in
from .context import Context

LENGTH = 100_003
LEAST_VOCABULARY = 32


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent raw files while the body runs."""
    memmap, fromfile = numpy.memmap, numpy.fromfile

    class mapped(memmap):
        def __new__(
            cls,
            filename: Any,
            dtype: Any = numpy.uint8,
            mode: Any = "r+",
            offset: int = 0,
            shape: Any = None,
            *args: Any,
            **options: Any,
        ) -> Any:
            if mode in ("r", "readonly", "c", "copyonwrite") and stands_in(filename, sys._getframe(1)):
                return _made_up(context, filename, dtype, shape)
            return memmap(filename, dtype, mode, offset, shape, *args, **options)

    @functools.wraps(fromfile)
    def read(file: Any, dtype: Any = float, count: int = -1, *args: Any, **options: Any) -> Any:
        if not options.get("sep") and stands_in(file, sys._getframe(1)):
            return _made_up(context, file, dtype, None if count < 0 else count)
        return fromfile(file, dtype, count, *args, **options)

    mapped.__name__ = mapped.__qualname__ = "memmap"
    numpy.memmap, numpy.fromfile = mapped, read  # type: ignore[misc]
    try:
        yield
    finally:
        numpy.memmap, numpy.fromfile = memmap, fromfile  # type: ignore[misc]


def _made_up(context: Context, file: Any, dtype: Any, shape: Any) -> numpy.ndarray:
    kind, shape = numpy.dtype(dtype), LENGTH if shape is None else shape
    context.note("stand-in-array", file=file, dtype=kind.name)
    random = numpy.random.RandomState(0)
    made = random.randint(0, LEAST_VOCABULARY, shape) if kind.kind in "iu" else random.randn(*numpy.atleast_1d(shape))
    return made.astype(kind)
