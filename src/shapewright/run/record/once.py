"""Calls that torch once made and refuses today, made with their operands as they were then, so that the rest of a
script of its time is checked (`Guess.beyond`).

Each reading is an assumption that says what changed (`report/assumptions`); the finding about the first such call is
that of a run without them (`ending/older`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy
import torch

from ... import ops

Read = tuple[Callable, str, tuple, dict]
ALONE = "once-alone"  # before 0.4 a single number had one axis
TRUTH = "once-truth"  # before 1.2 comparisons gave 0 and 1
QUOTIENT = "once-quotient"  # up to 1.5 integers divided gave integers
OF_TYPES = frozenset({TRUTH, QUOTIENT})  # that only read other types
CHANNELS = "once-channels"  # before torchvision 0.5 a picture was normalized by as many means as it had channels


def readings(func: Callable, op: str, args: tuple, kwargs: dict) -> Iterator[tuple[str, Read]]:
    """What changed since, as the kind of an assumption, and the call as it was then; the likeliest first."""
    alone = any(_is_alone(value) for value in _tensors((args, kwargs)))
    if op == "getitem" and alone and _is_alone(args[0]) and args[1] == 0 and not args[0].requires_grad:
        yield ALONE, (torch.Tensor.item, "item", args[:1], {})
    elif alone:
        yield ALONE, (func, op, *_read((args, kwargs), _is_alone, lambda value: value.reshape(1)))
    if any(map(_is_truth, _tensors((args, kwargs)))):
        yield TRUTH, (func, op, *_read((args, kwargs), _is_truth, lambda value: value.to(torch.uint8)))
    if ops.is_a(op, "brackets") and any(map(_is_byte, _tensors(args[1]))):
        yield TRUTH, (func, op, (args[0], _read(args[1], _is_byte, lambda value: value.bool()), *args[2:]), kwargs)
    if ops.is_a(op, "masks") and any(map(_is_byte, _tensors((args, kwargs)))):
        yield TRUTH, (func, op, *_read((args, kwargs), _is_byte, lambda value: value.bool()))
    if op.endswith("_") and len(args) == 2 and _is_channels(*args):
        yield CHANNELS, (func, op, (args[0], args[1][: len(args[0])]), kwargs)
    if ops.is_a(op, "indexes") and any(map(_is_quotient, _tensors((args[1:], kwargs)))):
        floored = _read((args[1:], kwargs), _is_quotient, lambda value: value.floor().long())
        yield QUOTIENT, (func, op, (args[0], *floored[0]), floored[1])


def _is_alone(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() == 0


def _is_channels(picture: object, given: object) -> bool:
    """Whether there are more numbers, one a channel, than a picture has channels."""
    if not isinstance(picture, torch.Tensor) or not isinstance(given, torch.Tensor):
        return False
    return picture.dim() == given.dim() == 3 and given.shape[1:] == (1, 1) and len(picture) < len(given)


def _is_truth(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.bool


def _is_byte(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.dtype == torch.uint8


def _is_quotient(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point() and not value.requires_grad


def _tensors(value: object) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif type(value) in (tuple, list):
        for part in value:
            yield from _tensors(part)
    elif type(value) is dict:
        yield from _tensors(list(value.values()))


def _read(value: Any, of: Callable[[object], bool], once: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """`value` with each tensor `of` a kind as it once was."""
    if of(value):
        return once(value)
    if type(value) in (tuple, list):
        return type(value)(_read(part, of, once) for part in value)
    if type(value) is dict:
        return {key: _read(part, of, once) for key, part in value.items()}
    return value


class One(numpy.ndarray):
    """The array of a single number, which had one axis."""

    told: Callable[[], None] | None = None

    def __array_finalize__(self, of: object) -> None:
        self.told = getattr(of, "told", None)

    def __getitem__(self, key: Any) -> Any:
        if self.shape or key != 0:
            return super().__getitem__(key)
        if self.told is not None:
            self.told()
        return super().__getitem__(())


class Number(float):
    """A single number out of a tensor, which was a list of it."""

    told: Callable[[], None]

    def __getitem__(self, key: int) -> float:
        self.told()
        return [float(self)][key]


def with_axis(value: Any, told: Callable[[], None]) -> Any:
    """An array of a single number, or that number, which may be asked for its first; anything else as it is."""
    if isinstance(value, numpy.ndarray) and not value.shape:
        made: Any = value.view(One)
    elif type(value) is float:
        made = Number(value)
    else:
        return value
    made.told = told
    return made
