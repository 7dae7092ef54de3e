"""Arrays that are not on this machine: raw ones, where the call itself tells their shape and type (`np.memmap`,
`np.fromfile`), and `np.load`, where nothing does.

Whole numbers are small, so that they are indices into any vocabulary. What `.npy` and `.npz` hold is a table, or labels
where the file or the entry is called so; how many axes it has is not known (`Context.loose`).
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy

from .checkpoints import stands_in
from .context import Context
from .files.contents import kinds_of, rows_of
from .tried import tried

LENGTH = 100_003
LEAST_VOCABULARY = 32
LABELS = re.compile(r"(?:^|_)(?:y|labels?|targets?|classes)(?:_|$)", re.IGNORECASE)


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent raw files while the body runs."""
    memmap, fromfile, load = numpy.memmap, numpy.fromfile, numpy.load

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

    @functools.wraps(load)
    def load_file(file: Any, *args: Any, **options: Any) -> Any:
        file = getattr(file, "stands_for", file)
        ending = os.path.splitext(str(file))[1]
        if ending not in (".npy", ".npz", "") or not stands_in(file, sys._getframe(1)):
            return load(file, *args, **options)
        context.made_up(file)
        context.loosen(tried=True)
        stem = os.path.splitext(os.path.basename(os.fspath(file)))[0]
        named = ending == ".npz" or (ending != ".npy" and context.usage.keys)
        return Entries(context, os.fspath(file)) if named else _table(context, stem, os.fspath(file))

    mapped.__name__ = mapped.__qualname__ = "memmap"
    numpy.memmap, numpy.fromfile, numpy.load = mapped, read, load_file  # type: ignore[misc]
    try:
        yield
    finally:
        numpy.memmap, numpy.fromfile, numpy.load = memmap, fromfile, load  # type: ignore[misc]


class Entries(Mapping[str, numpy.ndarray]):
    """The arrays of a `.npz` that is not there: each that is asked for."""

    def __init__(self, context: Context, file: str) -> None:
        self.context, self.file = context, file
        self.f, self.files = self, list(self)

    def __getitem__(self, name: str) -> numpy.ndarray:
        return _table(self.context, name, f"{self.file}:{name}")

    def __getattr__(self, name: str) -> numpy.ndarray:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.context.usage.keys)

    def __len__(self) -> int:
        return len(self.context.usage.keys)

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *raised: object) -> None:
        """Nothing is open."""

    def close(self) -> None:
        """Nothing is open."""


def _table(context: Context, name: str, file: str) -> numpy.ndarray:
    """What an array of this name holds: labels, or rows of numbers."""
    return tried(context, file, _made(context, name, file))


def _made(context: Context, name: str, file: str) -> numpy.ndarray:
    guess = context.of_file(file)
    if LABELS.search(name) and not guess.floats:
        own = next((axes for known, *_, axes in context.guess.own if known == file), ())
        labels = numpy.arange(rows_of(guess) * math.prod(own)) % 2 + guess.first
        return labels.reshape(-1, *own)
    made = numpy.random.RandomState(0).rand(rows_of(guess), *context.row(guess))
    return made.astype("float32") if guess.single else made


def _made_up(context: Context, file: Any, dtype: Any, shape: Any) -> numpy.ndarray:
    kind, shape = numpy.dtype(dtype), LENGTH if shape is None else shape
    context.note("stand-in-array", file=file, dtype=kind.name)
    random = numpy.random.RandomState(0)
    most = kinds_of(context.guess, LEAST_VOCABULARY)
    made = random.randint(0, most, shape) if kind.kind in "iu" else random.randn(*numpy.atleast_1d(shape))
    return made.astype(kind)
