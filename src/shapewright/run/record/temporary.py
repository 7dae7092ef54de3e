"""Watches statements that change what they have just made: where it shares no memory with what it was made of, and
nothing else holds it, the change is lost. It judges nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import LostWrite, Site
from ..script.sources import UserSources
from .readable import is_array, readable

CALLS, LARGEST, CELLS = 24, 1 << 30, 200_000
Where = tuple[int, int, int, int]


@dataclass(slots=True)
class _Watched:
    """One place: how often it ran, how often the change was lost, and what it has at hand while it runs."""

    site: Site
    times: int = 0
    lost: int = 0
    empty: int = 0
    kind: str = ""
    of: Any = None
    nearest: Any = None
    value: Any = None
    before: Any = None
    source: Any = None


class Temporaries:
    """Told by the instrumented source."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._places: dict[tuple[Any, Where], _Watched] = {}

    def prefix(self, where: Where, at: int, value: Any) -> Any:
        """What something is about to be made of, the innermost first (`at` 0)."""
        code = sys._getframe(1).f_code
        held = self._places.get((code, where))
        if held is None:
            held = self._places[code, where] = _Watched(self.sources.span(code.co_filename, *where, code.co_name))
        if held.times < CALLS:
            if at == 0:
                held.of = None
            held.nearest = value
            if held.of is None and (isinstance(value, torch.Tensor) or is_array(value) or _framed(value)):
                held.of = value
        return value

    def changing(self, where: Where, value: Any) -> Any:
        """What is about to be changed."""
        held = self._places.get((sys._getframe(1).f_code, where))
        if held is not None and held.times < CALLS:
            with torch._C.DisableTorchFunction():
                held.value, held.before = value, _state(value)
                held.source = _state(held.of) if _framed(held.of) else None
        return value

    def changed(self, where: Where, how: str, fresh: bool, function: Any = None) -> None:
        """The statement has ended."""
        code = sys._getframe(1).f_code
        held = self._places.get((code, where))
        if held is None or held.times >= CALLS:
            return
        held.times += 1
        if not self._of_user(function):
            with torch._C.DisableTorchFunction(), torch.no_grad():
                told = self._lost(held, how == "written", fresh)
            held.lost += told is True
            held.empty += told is None
        held.of = held.nearest = held.value = held.before = held.source = None

    def _of_user(self, function: Callable[..., Any] | None) -> bool:
        """Whether a function is one of the script's own, which may work on what it is given."""
        own = getattr(getattr(function, "__func__", function), "__code__", None)
        return own is not None and self.sources.is_user(own.co_filename)

    def _lost(self, held: _Watched, written: bool, fresh: bool) -> bool | None:
        """Whether a change was lost; `None` where nothing was changed."""
        value = held.value
        if _framed(held.of):
            held.kind = type(value).__name__
            if not _framed(value) or held.before is None or held.source is None or value is held.of:
                return False
            if value.equals(held.before):
                return None
            return bool(held.of.equals(held.source))
        if held.of is not None:
            held.kind = "tensor" if isinstance(value, torch.Tensor) else "array"
            own, other = _memory(value), _memory(held.of)
            if own is None or other is None:
                return False
            if own[0] == own[1] or not (written or _moved(value, held.before)):
                return None
            return own[1] <= other[0] or other[1] <= own[0]
        held.kind = type(value).__name__
        if not fresh or not isinstance(held.nearest, (list, dict)) or not isinstance(value, (list, dict, set)):
            return False
        inside = held.nearest.values() if isinstance(held.nearest, dict) else held.nearest
        if value is held.nearest or any(one is value for one in inside):
            return False
        return True if written or value != held.before else None

    def found(self) -> tuple[LostWrite, ...]:
        """The places where every change was lost."""
        return tuple(
            LostWrite(one.site, one.kind, one.lost)
            for one in self._places.values()
            if one.lost and one.lost + one.empty == one.times
        )


def _framed(value: Any) -> bool:
    """Whether a value is a data frame or a column of one."""
    return type(value).__module__.startswith("pandas.core") and type(value).__name__ in ("DataFrame", "Series")


def _state(value: Any) -> Any:
    """What tells later whether a value was changed."""
    if isinstance(value, torch.Tensor):
        return None if value.is_inference() else value._version
    if is_array(value) or _framed(value):
        return value.copy() if value.size <= CELLS else None
    return value.copy() if type(value) in (list, dict, set) and len(value) <= CELLS else None


def _moved(value: Any, before: Any) -> bool:
    """Whether a tensor or an array was changed since."""
    if before is None:
        return False
    if isinstance(value, torch.Tensor):
        return bool(value._version != before)
    return bool(value.tobytes() != before.tobytes())


def _memory(value: Any) -> tuple[int, int] | None:
    """Where the memory of a tensor or an array begins and ends."""
    if isinstance(value, torch.Tensor):
        if not readable(value, LARGEST):
            return None
        held = value.untyped_storage()
        return held.data_ptr(), held.data_ptr() + held.nbytes()
    if not is_array(value):
        return None
    low = high = value.__array_interface__["data"][0]
    for step, size in zip(value.strides, value.shape):
        low, high = low + min(step * (size - 1), 0), high + max(step * (size - 1), 0)
    return low, high + value.itemsize if value.size else low
