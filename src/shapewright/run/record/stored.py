"""Watches what the user puts into lists, deques and dictionaries: memory that is stored again with other contents was
changed in place, so that what was stored before changes with it.

It does not say whether anybody reads the earlier entries.
"""

from __future__ import annotations

import dataclasses
import functools
import sys
from collections import deque
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy
import torch

from ...dataclass import dataclass
from ...trace import Stored as Fact
from ..script.sources import UserSources
from .readable import readable

LARGEST = 1 << 16  # numbers
MOST = 4_000  # things that are kept for comparison
BYTES = 1 << 26
PER_PLACE = 400
PARTS = 16
LISTED = 64
HOLDERS = 400
NUMBERS = frozenset({int, float})
Key = tuple[Any, ...]


@dataclass(slots=True)
class _Kept:
    """The last entry of a container that holds some memory, and what the memory held when it was stored."""

    entry: Any
    content: Any
    times: int = 1


class Stored:
    """The log of one run.

    Args:
        sources: tell the user's frames.
    """

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self._kept: dict[tuple[int, Key], _Kept] = {}
        self._bytes = 0
        self._counts: dict[Any, int] = {}
        self._entries: dict[Any, int] = {}
        self._twice: dict[Any, tuple[tuple, int, set, tuple]] = {}
        self._changed: dict[Any, list] = {}
        self.told: Callable[[Any, Any, FrameType], None] | None = None

    def storing(self, put: Callable[..., Any]) -> Callable[..., Any]:
        """The user is about to call `thing.append`."""
        owner = getattr(put, "__self__", None)
        if not isinstance(owner, (list, deque)) or not self._asks(sys._getframe(1)):
            return put
        return functools.partial(self._put, put, owner)

    def placed(self, owner: Any, place: Any) -> None:
        """The user has put something at `owner[place]`."""
        frame = sys._getframe(1)
        if type(owner) in (list, dict) and self._asks(frame):
            self._note(owner, owner[place], frame)

    def _put(self, put: Callable[..., Any], owner: Any, value: Any) -> None:
        put(value)
        if self.told is not None:
            self.told(owner, value, sys._getframe(1))
        self._note(owner, value, sys._getframe(1))

    def _asks(self, frame: FrameType) -> bool:
        """Whether what is stored at a place is looked at, this time too."""
        place = (frame.f_code, frame.f_lasti)
        self._counts[place] = count = self._counts.get(place, 0) + 1
        full = len(self._kept) >= MOST or self._bytes >= BYTES
        return count <= PER_PLACE and not full and torch._C._get_tracing_state() is None

    def _note(self, owner: Any, value: Any, frame: FrameType) -> None:
        place = (frame.f_code, frame.f_lasti)
        self._entries[place] = self._entries.get(place, 0) + 1
        seen: dict[Key, tuple] = {}
        with torch._C.DisableTorchFunction(), torch.no_grad():
            for way, part in _parts(value):
                key, content = _memory(part)
                if key is None:
                    continue
                if key in seen:
                    self._same(place, content, frame, seen[key] + way)
                    continue
                seen[key] = way
                self._compare(owner, value, key, content, (place, way, part, frame))

    def _same(self, place: Any, content: Any, frame: FrameType, ways: tuple) -> None:
        """One entry holds the same memory twice, in two ways."""
        if place not in self._twice:
            self._twice[place] = (self.sources.stack(frame), 0, set(), ways)
        stack, times, contents, ways = self._twice[place]
        self._twice[place] = (stack, times + 1, contents | {content}, ways)

    def _compare(self, owner: Any, value: Any, key: Key, content: Any, at: tuple) -> None:
        place, way, part, frame = at
        known = self._kept.get((id(owner), key))
        if known is None:
            self._kept[id(owner), key] = _Kept(value, content)
            self._bytes += len(content)
            return
        if content != known.content and _holds(owner, known.entry, 2 if known.entry is value else 1):
            if place not in self._changed:
                found = _kind(part), way, _holder(key, frame)
                self._changed[place] = [self.sources.stack(frame), *found, set()]
            self._changed[place][-1] |= {(key, known.content), (key, content)}
        known.entry, known.content, known.times = value, content, known.times + 1

    def found(self) -> tuple[Fact, ...]:
        """What was stored and changed, and what was stored twice in one entry, each time with other contents."""
        facts = [
            Fact(self.sources.sites(stack), kind, way, holder, len(contents))
            for stack, kind, way, holder, contents in self._changed.values()
        ]
        return *facts, *(
            Fact(self.sources.sites(stack), "twice", ways, ("", ""), times)
            for place, (stack, times, contents, ways) in self._twice.items()
            if times == self._entries[place] and len(contents) > 1
        )


def _parts(value: Any, way: tuple = (), far: int = 2) -> Iterator[tuple[tuple, Any]]:
    """The arrays, tensors and lists of numbers in an entry, each with the way to it."""
    if isinstance(value, (numpy.ndarray, torch.Tensor)):
        yield way, value
        return
    if type(value) is list and 0 < len(value) <= LISTED and all(type(part) in NUMBERS for part in value):
        yield way, value
        return
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, (tuple, list)):
        inner = list(enumerate(value[:PARTS]))
    elif isinstance(value, dict):
        inner = list(value.items())[:PARTS]
    elif dataclasses.is_dataclass(value) and not isinstance(value, type) and hasattr(value, "__dict__"):
        inner = list(vars(value).items())[:PARTS]
    for name, part in inner if far else ():
        yield from _parts(part, (*way, name), far - 1)


def _memory(part: Any) -> tuple[Key | None, Any]:
    """What tells the memory of an array, and what it holds."""
    if isinstance(part, list):
        return (id(part),), tuple(part)
    if isinstance(part, numpy.ndarray):
        if part.dtype.kind in "biuf" and 0 < part.size <= LARGEST:
            return (part.__array_interface__["data"][0], part.shape, part.dtype.str), part.tobytes()
        return None, b""
    plain = part.device.type == "cpu" and part.dtype is not torch.bfloat16 and not (part.is_conj() or part.is_neg())
    if not plain or not readable(part, LARGEST):
        return None, b""
    return (part.data_ptr(), tuple(part.shape), str(part.dtype)), part.detach().numpy().tobytes()


def _kind(part: Any) -> str:
    return "array" if isinstance(part, numpy.ndarray) else "tensor" if isinstance(part, torch.Tensor) else "list"


def _holds(owner: Any, entry: Any, times: int) -> bool:
    """Whether a container still has an entry, so often."""
    return sum(one is entry for one in (owner.values() if isinstance(owner, dict) else owner)) >= times


def _holder(key: Key, frame: FrameType | None) -> tuple[str, str]:
    """`(class, attribute)` of the object that keeps some memory, among those that the user's functions have at hand."""
    queue: list[tuple[Any, int]] = []
    while frame is not None:
        queue += [(value, 3) for value in frame.f_locals.values()]
        frame = frame.f_back
    seen: set[int] = set()
    while queue and len(seen) < HOLDERS:
        thing, far = queue.pop(0)
        if id(thing) in seen or isinstance(thing, (type, torch.Tensor, torch.nn.Module)) or not far:
            continue
        own = getattr(thing, "__dict__", None)
        if not isinstance(own, dict) or type(thing).__module__ in sys.builtin_module_names or callable(thing):
            continue
        seen.add(id(thing))
        for name, value in own.items():
            if isinstance(value, (list, numpy.ndarray, torch.Tensor)) and _shares(value, key):
                return type(thing).__qualname__, name
        queue += [(value, far - 1) for value in own.values()]
    return "", ""


def _shares(value: Any, key: Key) -> bool:
    if isinstance(value, list):
        return key == (id(value),)
    if isinstance(value, numpy.ndarray):
        at, size = value.__array_interface__["data"][0], value.nbytes
    elif value.is_meta or value.layout is not torch.strided:
        return False
    else:
        at, size = value.data_ptr(), value.numel() * value.element_size()
    return len(key) > 1 and at <= key[0] < at + max(size, 1)
