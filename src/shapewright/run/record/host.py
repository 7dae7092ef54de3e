"""Follows Python numbers that come from tensors: `.item()`, `.numpy()` of a single number, `len(...)`, and the
arithmetic with them.

They are floats, integers and arrays of no axes of subclasses that know their place in a log; lists, dictionaries,
attributes and calls carry them by themselves. Whatever asks for a plain number gets one: pickles, hashes, comparisons
and formats are those of `float`, `int` and NumPy.
"""

from __future__ import annotations

import builtins
import operator
import sys
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy
import torch

from ...trace import HostFact
from .recorder import Recorder

MOST = 20_000
PER_PLACE = 3_000
LISTED = 64
COMPARED = 16
PAIRS, LARGEST = 4, 1 << 20
# what an array of one number gives as one that is not followed does
PLAINLY = (
    "__getitem__",
    "__format__",
    "__repr__",
    "__str__",
    "__reduce__",
    "__reduce_ex__",
    "__deepcopy__",
    "__copy__",
)
ARITHMETIC = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv}


class Numbers:
    """The log of one run.

    Args:
        recorder: whose stack and counters the numbers share.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.raw: list[tuple] = []
        self.met: list[tuple[int, int]] = []
        self._counts: dict[Any, int] = {}
        self._matches: dict[int, weakref.ref] = {}
        self._counting: dict[tuple[int, int], tuple[int, ...]] = {}
        self._pairs: deque[tuple[weakref.ref, weakref.ref]] = deque(maxlen=PAIRS)
        torch.serialization.add_safe_globals([float, int])  # a saved number is a call of its plain type

    def made(self, op: str, value: Any, operands: tuple, stack: tuple, event: int = -1, kind: str = "") -> Any:
        """`value` as a number that is followed, or as it is where enough of them are."""
        if torch._C._get_tracing_state() is not None:
            return value
        place = (op, stack[-1] if stack else None)
        self._counts[place] = count = self._counts.get(place, 0) + 1
        kind_of = KINDS.get(type(value))
        if len(self.raw) >= MOST or count > PER_PLACE or kind_of is None or not stack:
            return value
        number = kind_of(value)
        number.index, number.log = len(self.raw), self
        self._log(op, value, operands, stack, event, kind)
        return number

    def compare(self, pair: tuple, less: bool, stack: tuple, kind: str = "") -> None:
        """The user asked which of two numbers is less, or (`kind` `plateau`) has a scheduler ask it."""
        place = ("compare", stack[-1] if stack else None)
        self._counts[place] = count = self._counts.get(place, 0) + 1
        if stack and count <= COMPARED and len(self.raw) < MOST:
            self._log("compare", less, pair, stack, -1, kind)

    def _log(self, op: str, value: Any, operands: tuple, stack: tuple, event: int, kind: str) -> None:
        followed = tuple(isinstance(part, FOLLOWED) for part in operands)
        given = tuple(part.index if own else float(part) for part, own in zip(operands, followed))
        loop = self.recorder.loops.current() if self.recorder.loops else -1
        self.raw.append((op, stack, given, followed, float(value), event, kind, loop, self.recorder.iteration))

    def read(self, value: Any, event: int, stack: tuple) -> Any:
        """What `.item()` gave, or `.numpy()` of a single number."""
        if type(value) is not numpy.ndarray:
            return self.made("item", value, (), stack, event)
        number = self.made("item", value[()], (), stack, event)
        return _same(number, value.view(Alone)) if isinstance(number, FOLLOWED) else value

    def meet(self, args: tuple, event: int) -> None:
        """An operator was given numbers that are followed, alone or listed."""
        for part in args:
            for one in part[:LISTED] if type(part) in (list, tuple) else (part,):
                if isinstance(one, FOLLOWED) and len(self.met) < MOST:
                    self.met.append((event, one.index))

    def counted(self, call: Any, *given: object) -> Any:
        """The user's `len(thing)`, `float(thing)` or `int(thing)`, or the size of an axis that was read already."""
        if not given:
            return self.made("size", call, (), self.recorder.sources.stack(sys._getframe(1)), kind="Tensor")
        thing = given[0]
        if call in (builtins.float, builtins.int) and isinstance(thing, torch.Tensor) and not thing.dim():
            thing = thing.item()  # `float(loss)`
        if call is builtins.int and isinstance(thing, (Whole, Integer)):
            return _same(thing, Whole(int(thing)))
        if call is builtins.float and isinstance(thing, FOLLOWED):
            return _same(thing, Number(float(thing)))
        count = call(thing)
        if call is not builtins.len:
            return count
        kind = "Tensor" if isinstance(thing, torch.Tensor) else type(thing).__name__
        kind = "Dataset" if isinstance(thing, torch.utils.data.Dataset) else kind
        return self.made("len", count, (), self.recorder.sources.stack(sys._getframe(1)), kind=kind)

    def compared(self, matches: Any) -> Any:
        """The user bound what a comparison of arrays gave."""
        if type(matches) is numpy.ndarray and matches.dtype.kind in "biuf" and len(self._matches) < MOST:
            self._matches[id(matches)] = weakref.ref(matches)
        return matches

    def matches(self, line: int, column: int, side: int, value: Any, average: bool = False) -> Any:
        """What a `sum` or a `mean` of the user's is given (`side` 0), and what it gave."""
        stack = self.recorder.sources.stack(sys._getframe(1))
        if side == 0:
            known = self._matches.get(id(value))
            held = type(value) is numpy.ndarray and (value.dtype == bool or (known is not None and known() is value))
            self._counting[line, column] = (value.size, self._of(value)) if held else ()
            return value
        size = self._counting.pop((line, column), ())
        return self.made("hits", value, size, stack, kind="means" if average else "hits") if size else value

    def pair(self, left: Any, right: Any) -> None:
        """The user compared two arrays."""
        self._pairs.append((weakref.ref(left), weakref.ref(right)))

    def _of(self, matches: Any) -> int:
        """How many places of matches count: those of the arrays that were compared."""
        for pair in reversed(self._pairs if matches.size <= LARGEST else ()):
            left, right = (one() for one in pair)
            known = left is not None and right is not None and left.shape == right.shape == matches.shape
            if known and self.recorder.counted is not None and numpy.array_equal(left == right, matches):
                return int(self.recorder.counted.of(left, right))
        return int(matches.size)

    def literal(self, value: float) -> float:
        """A float of the source, in the sum or the product of followed numbers."""
        return Literal(value)

    def facts(self) -> tuple[HostFact, ...]:
        """The log, resolved."""
        found = []
        for index, (op, stack, operands, followed, value, event, kind, loop, iteration) in enumerate(self.raw):
            sites = self.recorder.sources.sites(stack)
            site = sites[-1] if sites else None
            caller = sites[-2] if len(sites) > 1 else None
            found.append(HostFact(index, op, site, operands, followed, value, event, kind, loop, iteration, caller))
        return tuple(found)


class Number(float):
    """A float that is followed."""

    def __reduce__(self) -> tuple:
        return (float, (float(self),))


class Whole(int):
    """An integer that is followed."""

    def __reduce__(self) -> tuple:
        return (int, (int(self),))


class Integer(numpy.int64):
    """An integer of NumPy's that is followed."""

    def __reduce__(self) -> tuple:
        return (numpy.int64, (int(self),))

    def __repr__(self) -> str:
        return repr(numpy.int64(self))

    def item(self) -> Any:
        """The same number as one of Python's."""
        return _same(self, Whole(int(self)))


class Real(numpy.float64):
    """A float of NumPy's that is followed."""

    def __reduce__(self) -> tuple:
        return (numpy.float64, (float(self),))

    def __repr__(self) -> str:
        return repr(numpy.float64(self))

    def item(self) -> Any:
        """The same number as one of Python's."""
        return _same(self, Number(float(self)))


class Single(numpy.float32):
    """A float of NumPy's of single precision that is followed."""

    def __reduce__(self) -> tuple:
        return (numpy.float32, (float(self),))

    def __repr__(self) -> str:
        return repr(numpy.float32(self))

    def item(self) -> Any:
        """The same number as one of Python's."""
        return _same(self, Number(float(self)))


class Alone(numpy.ndarray):
    """An array of a single number and no axes that is followed. What its methods make of it is of NumPy's own kinds."""

    index: int
    log: Numbers

    def __array_finalize__(self, of: Any) -> None:
        if isinstance(of, Alone):
            _same(of, self)

    def __array_wrap__(self, made: Any, context: Any = None, return_scalar: bool = True) -> Any:
        return numpy.asarray(made)[()]

    def item(self, *place: Any) -> Any:
        """The same number as one of Python's."""
        value = numpy.asarray(self).item(*place)
        return _same(self, Number(value)) if type(value) is float else value


def _plainly(name: str) -> Callable:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return getattr(numpy.asarray(self), name)(*args, **options)

    return method


for _name in (*(name for name in dir(numpy.ndarray) if not name.startswith("_")), *PLAINLY):
    if callable(getattr(numpy.ndarray, _name)) and _name not in (*vars(Alone), "view"):
        setattr(Alone, _name, _plainly(_name))

FOLLOWED = (Number, Whole, Integer, Real, Single, Alone)
KINDS = {float: Number, int: Whole, numpy.int64: Integer, numpy.float64: Real, numpy.float32: Single}
PLAIN = (*KINDS, Alone)


def _same(number: Any, other: Any) -> Any:
    """`other`, another form of a followed number."""
    other.index, other.log = number.index, number.log
    return other


class Literal(float):
    """A float of the source that a followed number is multiplied with or added to, which plain floats would lose."""

    def __reduce__(self) -> tuple:
        return (float, (float(self),))

    def __mul__(self, other: Any) -> Any:
        return other.__rmul__(float(self)) if isinstance(other, FOLLOWED) else float.__mul__(self, other)

    def __add__(self, other: Any) -> Any:
        return other.__radd__(float(self)) if isinstance(other, FOLLOWED) else float.__add__(self, other)


def _follow(kind: type, base: type, name: str, plain: Callable) -> None:
    """Give a kind of numbers one arithmetic method and its reflection."""
    forwards, reflected = getattr(base, f"__{name}__"), getattr(base, f"__r{name}__")

    def method(self: Any, other: object, turned: bool = False) -> Any:
        if not isinstance(other, PLAIN) or isinstance(other, bool):
            return (reflected if turned else forwards)(self, other)
        one, two = _bare(self), _bare(other)
        value = plain(two, one) if turned else plain(one, two)
        stack = self.log.recorder.sources.stack(sys._getframe(1 + turned))
        pair = (other, self) if turned else (self, other)
        return self.log.made("div" if name == "truediv" else name, value, pair, stack)

    def turned(self: Any, other: object) -> Any:
        return method(self, other, True)

    setattr(kind, f"__{name}__", method)
    setattr(kind, f"__r{name}__", turned)
    if kind is Alone:
        inside = getattr(base, f"__i{name}__")

        def written(self: Any, other: object) -> Any:
            """`total += loss.numpy()`, which writes into the tensor that the array was of."""
            number = method(self, other)
            inside(self, other)
            return _same(number, self) if isinstance(number, FOLLOWED) else numpy.asarray(self)

        setattr(kind, f"__i{name}__", written)


def _beside(kind: type, base: type, name: str) -> None:
    """Give a kind of numbers one comparison that is noted."""
    plain = getattr(base, name)

    def method(self: Any, other: object) -> Any:
        told = plain(self, other)
        if isinstance(other, PLAIN) and not isinstance(other, bool):
            self.log.compare((self, other), bool(told), self.log.recorder.sources.stack(sys._getframe(1)))
        return told

    setattr(kind, name, method)


def _bare(value: Any) -> Any:
    if isinstance(value, Alone):
        return numpy.asarray(value)[()]
    if isinstance(value, numpy.generic):
        return next(kind for kind in PLAIN if isinstance(value, kind) and issubclass(kind, numpy.generic))(value)
    return float(value) if isinstance(value, float) else int(value)


for _name, _plain in ARITHMETIC.items():
    _follow(Number, float, _name, _plain)
    _follow(Whole, int, _name, _plain)
    _follow(Integer, numpy.int64, _name, _plain)
    _follow(Real, numpy.float64, _name, _plain)
    _follow(Single, numpy.float32, _name, _plain)
    _follow(Alone, numpy.ndarray, _name, _plain)
for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    _beside(Number, float, _name)
    _beside(Real, numpy.float64, _name)
    _beside(Single, numpy.float32, _name)
    _beside(Alone, numpy.ndarray, _name)
