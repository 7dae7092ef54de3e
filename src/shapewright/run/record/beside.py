"""What the user's frames hold, at one moment, beside a tensor: columns of as many numbers, whatever they lie in (lists,
deques, arrays, tensors, the places of listed tuples, the keys of listed dictionaries, attributes).

It looks at no name; the names are kept to be told.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import deque
from collections.abc import Iterator, Sequence
from types import FrameType, FunctionType, ModuleType
from typing import Any

import torch

from ...dataclass import dataclass
from ..script.sources import UserSources
from .readable import readable

LONGEST, FRAMES, ATTRIBUTES, COLUMNS, KEYS = 4096, 3, 60, 40, 16
PLAIN = (bool, int, float)
KEPT, WIDEST = 0.75, 64  # the share of ones among flags that tell what goes on; environments


@dataclass(frozen=True)
class Column:
    """Numbers, one a step or a sample; `truth` where they are truth values, `real` where they have a point."""

    name: str
    numbers: torch.Tensor
    truth: bool
    held: torch.Tensor | None = None
    real: bool = False

    @functools.cached_property
    def flags(self) -> bool:
        """Whether they are zeros and ones, both."""
        ones = self.numbers == 1
        return bool(ones.any()) and bool((self.numbers == 0).any()) and bool((ones | (self.numbers == 0)).all())

    @functools.cached_property
    def ends(self) -> torch.Tensor | None:
        """Where flags mark an end: truth values that are true, or the few zeros among ones by which something is
        multiplied; actions are whole numbers."""
        if not self.flags:
            return None
        if self.truth:
            return self.numbers == 1
        return self.numbers == 0 if self.real and float(self.numbers.mean()) >= KEPT else None


def columns(sources: UserSources, frame: FrameType | None, sizes: Sequence[int], width: int = 1) -> list[Column]:
    """Every column of one of these lengths that the innermost frames of the user's hold, the nearest first; of tables
    of this width, such as one of several environments' steps, the first column. What is not finite is no column."""
    found: dict[int, Column] = {}
    for inner in own_frames(sources, frame, FRAMES):
        for name, value in list(inner.f_locals.items()):
            if not name.startswith("__") and len(found) < COLUMNS:
                _add(found, name, value, sizes, width)
    return [column for column in found.values() if bool(column.numbers.isfinite().all())]


def own_frames(sources: UserSources, frame: FrameType | None, most: int) -> Iterator[FrameType]:
    """The innermost frames of the user's functions around a frame, the nearest first."""
    while frame is not None and most:
        if frame.f_code.co_filename in sources.texts:
            most -= 1
            yield frame
        frame = frame.f_back


def _add(found: dict[int, Column], name: str, value: object, sizes: Sequence[int], width: int) -> None:
    if isinstance(value, (str, bytes, type, ModuleType, FunctionType)) or id(value) in found:
        return
    if isinstance(value, (list, tuple, deque)):
        fields = getattr(value, "_fields", None)  # a batch of named parts
        if len(value) in sizes:
            for place, column in _listed(value):
                made = Column(place if isinstance(place, str) else name, *column)
                found.setdefault(id(value) if place == -1 else hash((id(value), place)), made)
        if fields is not None or (isinstance(value, tuple) and len(value) <= 8):
            for place, part in enumerate(value):
                if not isinstance(part, tuple):
                    _add(found, fields[place] if fields is not None else name, part, sizes, width)
        return
    column = _numbers(value, sizes, width)
    if column is not None:
        found[id(value)] = Column(name, *column)
    elif not isinstance(value, torch.Tensor) and type(value).__module__ != "numpy":
        inner = getattr(value, "__dict__", None)
        if isinstance(inner, dict) and len(inner) <= ATTRIBUTES:
            for key, part in list(inner.items()):
                listed = isinstance(part, (list, tuple, deque, torch.Tensor)) and not isinstance(
                    part, torch.nn.Parameter
                )
                if listed and not key.startswith("_"):
                    _add(found, key, part, sizes, width)


def _listed(value: Any) -> Iterator[tuple[int | str, tuple[torch.Tensor, bool, None, bool]]]:
    """`(place, numbers)` of a list of numbers, or of each place of listed tuples, each key of listed dictionaries, that
    holds numbers."""
    first = value[0]
    if isinstance(first, dict) and all(isinstance(row, dict) and row.keys() >= first.keys() for row in value):
        for key in itertools.islice((key for key in first if isinstance(key, str)), KEYS):
            made = _plain([row[key] for row in value])
            if made is not None:
                yield key, made
        return
    if isinstance(first, (tuple, list)) and all(isinstance(row, (tuple, list)) for row in value):
        width = len(first)
        if 1 <= width <= 8 and all(len(row) == width for row in value):
            for place in range(width):
                made = _plain([row[place] for row in value])
                if made is not None:
                    yield place, made
    elif (made := _plain(list(value))) is not None:
        yield -1, made


def _plain(values: list[Any]) -> tuple[torch.Tensor, bool, None, bool] | None:
    """Numbers that are listed; of tensors of several environments, all of one size, those of the first."""
    numbers = []
    size = getattr(values[0], "size", None)
    count = values[0].numel() if isinstance(values[0], torch.Tensor) else size if isinstance(size, int) else 1
    for value in values if 0 < count <= WIDEST else ():
        if isinstance(value, torch.Tensor):
            if value.numel() != count or value.is_complex() or not readable(value, WIDEST):
                return None
            value = value.detach().reshape(-1)[0].item()
        elif type(value).__module__ == "numpy" and getattr(value, "size", 0) == count:
            value = value.reshape(-1)[0].item()
        if not isinstance(value, PLAIN):
            return None
        numbers.append(value)
    if not numbers:
        return None
    truth, real = (all(isinstance(value, kind) for value in numbers) for kind in (bool, float))
    return torch.tensor(numbers, dtype=torch.float64), truth, None, real


def _numbers(
    value: Any, sizes: Sequence[int], width: int
) -> tuple[torch.Tensor, bool, torch.Tensor | None, bool] | None:
    """A tensor or an array of one number each, or of `width` numbers each, of which the first is taken."""
    shape = getattr(value, "shape", None)
    if not isinstance(shape, tuple) or not shape or shape[0] not in sizes or math.prod(shape[1:]) != width:
        return None
    if isinstance(value, torch.Tensor):
        if value.is_complex() or not readable(value, LONGEST):
            return None
        return first_of_each(value), value.dtype == torch.bool, value, value.is_floating_point()
    if type(value).__module__ == "numpy" and value.dtype.kind in "biuf":
        numbers = torch.tensor(value.reshape(len(value), -1)[:, 0].tolist(), dtype=torch.float64)
        return numbers, value.dtype.kind == "b", None, value.dtype.kind == "f"
    return None


def first_of_each(table: torch.Tensor) -> torch.Tensor:
    """The first number of each row: (T, …) -> (T,)."""
    return table.detach().reshape(len(table), -1)[:, 0].double()
