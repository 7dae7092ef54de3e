"""Places that a script draws at once, its batches where it has no loader: `torch.randint(len(data), (64,))`. Fewer are
drawn where a run is made small."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterator
from typing import Any

import numpy
import torch
from torch.jit._builtins import _register_builtin

from ..record.recorder import Recorder

LEAST = 8  # times as many to draw from: a draw of few values is of labels, or of steps of time


class Places:
    """Patches the functions that draw places, `torch.randint` and those of `numpy.random`, for the duration of a run.
    `sizes` holds how many the script drew at once."""

    def __init__(self, recorder: Recorder, share: int = 1) -> None:
        self.recorder, self.share = recorder, share
        self.sizes: set[int] = set()

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Patch the functions while the body runs."""
        patched = [(torch, "randint", 2), (numpy.random, "randint", 2), (numpy.random, "choice", 1)]
        before = [(owner, name, getattr(owner, name)) for owner, name, _ in patched]
        for (owner, name, function), (_, _, position) in zip(before, patched, strict=True):
            setattr(owner, name, drawing := self._drawing(function, position))
            if owner is torch:  # scripted functions call it, too
                _register_builtin(drawing, f"aten::{name}")
        try:
            yield
        finally:
            for owner, name, function in before:
                setattr(owner, name, function)

    def _drawing(self, function: Any, position: int) -> Any:
        @functools.wraps(function)
        def draw(*args: Any, **kwargs: Any) -> Any:
            if sys._getframe(1).f_code.co_filename in self.recorder.sources.texts:
                args, kwargs = self._fewer(args, kwargs, position)
            return function(*args, **kwargs)

        return draw

    def _fewer(self, args: tuple, kwargs: dict, position: int) -> tuple[tuple, dict]:
        """The arguments of a draw, with a smaller size in place of one that is a batch's."""
        # `randint(high, size)` and `randint(low, high, size)`; what is chosen from is a number or an array
        at = next((i for i in range(1, min(len(args), position + 1)) if _counted(args[i], i == position)), None)
        size = args[at] if at is not None else kwargs.get("size")
        count = size[0] if isinstance(size, (tuple, list, torch.Size)) and len(size) == 1 else size
        bounds = [*args[:at], *(kwargs[name] for name in ("low", "high", "a") if name in kwargs)]
        if type(count) is not int or not _many(bounds, count):
            return args, kwargs
        self.sizes.add(count)
        new = max(2, count // self.share)
        if new >= count:
            return args, kwargs
        self.recorder.assumptions.add("made-small", old=str(count), new=str(new))
        given = new if size is count else type(size)((new,))
        return ((*args[:at], given, *args[at + 1 :]), kwargs) if at is not None else (args, {**kwargs, "size": given})


def _counted(value: Any, last: bool) -> bool:
    """Whether an argument of a draw is its size: a tuple, or a number where none other can stand."""
    return isinstance(value, (tuple, list, torch.Size)) or (last and type(value) is int)


def _many(bounds: list[Any], count: int) -> bool:
    """Whether a draw of `count` is from many more."""
    whole = [bound for bound in bounds if type(bound) is int]
    return count > 1 and bool(whole) and max(whole) - (min(whole) if len(whole) > 1 else 0) >= LEAST * count
