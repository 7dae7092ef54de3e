"""Lists that are walked through together: how many entries each had, and whether one keeps those of earlier updates.

It looks at no name and judges nothing; names are kept to be told.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

import torch

from ...trace import Outgrown
from ..script.sources import UserSources

PLACES, CALLS, LEAST, DEEP = 32, 16, 3, 3


class Zipped:
    """Told by the instrumented source of every `zip` of several things."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._calls: dict[tuple[CodeType, int], list[tuple[int, ...]]] = {}
        self._told: dict[tuple[CodeType, int], tuple[tuple, str]] = {}

    def zipping(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """What `zip` becomes at a place."""
        if function is not zip:
            return function
        frame = sys._getframe(1)
        place = (frame.f_code, frame.f_lasti)
        known = self._calls.get(place)
        if known is None and len(self._calls) >= PLACES:
            return function
        known = self._calls.setdefault(place, [])

        def noted(*given: Any, **options: Any) -> Any:
            if len(known) < CALLS and torch._C._get_tracing_state() is None and torch.is_grad_enabled():
                with torch._C.DisableTorchFunction():
                    self._note(place, known, given, frame)
            return zip(*given, **options)

        return noted

    def _note(self, place: tuple[CodeType, int], known: list[tuple[int, ...]], given: tuple, frame: FrameType) -> None:
        sizes = tuple(_size(one) for one in given)
        short, long = min(sizes), max(sizes)
        learns = any(size == short and _learns(one) for one, size in zip(given, sizes) if size > 0)
        if not learns or short < LEAST or (known and len(known[0]) != len(sizes)):
            known[:] = [(-1,)] * CALLS  # nothing that learns is walked through here
            return
        known.append(sizes)
        if short < long and place not in self._told:
            self._told[place] = self.sources.stack(frame), _holder(frame, long)

    def found(self) -> Iterator[Outgrown]:
        """Every place at which a list holds what all others have held so far, where these hold what is new."""
        for place, (stack, name) in self._told.items():
            calls, whole = self._calls[place], 0
            apart = 0
            for sizes in calls:
                short, whole = min(sizes), whole + min(sizes)
                if not set(sizes) <= {short, whole}:
                    break
                apart += max(sizes) == whole > short
            else:
                if apart and apart == len(calls) - 1:
                    yield Outgrown(self.sources.sites(stack), name, min(calls[1]), max(calls[1]))


def _size(value: Any) -> int:
    """How many entries a list, a tensor or an array has; -1 of anything else."""
    if isinstance(value, (list, tuple, deque)):
        return len(value)
    shape = getattr(value, "shape", ())
    return int(shape[0]) if len(shape) else -1


def _learns(value: Any, deep: int = DEEP) -> bool:
    """Whether the first entry holds a tensor with a graph."""
    if isinstance(value, torch.Tensor):
        return value.requires_grad
    return bool(deep and isinstance(value, (list, tuple, deque)) and value) and any(
        _learns(one, deep - 1) for one in ([value[0]] if not isinstance(value, tuple) else value[:8])
    )


def _holder(frame: FrameType, size: int) -> str:
    """The name under which an object that the frame names, the module around it, or the frame itself holds a list of
    that size."""
    own = frame.f_locals
    outer = {name: frame.f_globals[name] for name in frame.f_code.co_names if name in frame.f_globals}
    for name, value in [*own.items(), *outer.items()]:
        inner = getattr(value, "__dict__", None)
        for key, part in list(inner.items()) if isinstance(inner, dict) else ():
            if isinstance(part, (list, deque)) and len(part) == size:
                return f"{name}.{key}"
    for name, value in [*outer.items(), *own.items()]:
        if isinstance(value, (list, deque)) and len(value) == size:
            return name
    return ""
