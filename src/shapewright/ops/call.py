"""A call held against its entry: its arguments by name, live or recorded alike, and the questions asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..dataclass import dataclass
from . import patterns
from .places import Layout
from .shapes import Shape
from .table import Op, find


@dataclass(frozen=True, slots=True)
class Misfit:
    """A violated constraint: `operand` has the size `size` at `axis` (from 0) where `expected` is needed, because of
    `other` at `other_axis`. With `axis` -1 its number of axes is wrong, and `expected` the number that would do (0:
    several)."""

    operand: str
    axis: int
    size: int
    expected: int
    other: str = ""
    other_axis: int = -1


def has_shape(value: object) -> bool:
    """Whether a value is a tensor, live or recorded."""
    return getattr(value, "shape", None) is not None


class Bound(NamedTuple):
    """Arguments of one call by the names of its entry's parameters. `result` is what it gave, `None` where it
    failed."""

    op: Op
    name: str
    values: Mapping[str, Any]
    result: Any = None
    is_tensor: Callable[[object], bool] = has_shape

    def get(self, parameter: str, default: object = None) -> Any:
        """An argument, its default in torch, or `default`."""
        return self.values.get(parameter, self.op.defaults.get(parameter, default))

    @property
    def reduction(self) -> str:
        """How a loss reduces: `mean`, `sum`, `none` ..., also where `size_average` and `reduce` say it."""
        average, reduce = self.get("size_average"), self.get("reduce")
        if average is None and reduce is None:
            return str(self.get("reduction", "mean"))
        return "none" if reduce is False else "sum" if average is False else "mean"

    def tensor(self, parameter: str) -> Any:
        """A tensor argument, `None` where there is none of the name."""
        value = self.values.get(parameter)
        return value if value is not None and self.is_tensor(value) else None

    def tensors(self) -> Iterator[tuple[str, Any]]:
        """Every tensor among the arguments with its name; those in a list bear the list's name."""
        for name, value in self.values.items():
            if self.is_tensor(value):
                yield name, value
            elif isinstance(value, (tuple, list)):
                yield from ((name, part) for part in value if self.is_tensor(part))

    @property
    def first(self) -> Any:
        """The first operand."""
        return next(iter(self.values.values()), None)

    def shape(self, value: Any) -> Shape:
        """The shape of a tensor argument."""
        return tuple(value.shape)

    def number(self, parameter: str, default: int | None = None) -> int | None:
        """An argument that is a whole number."""
        value = self.get(parameter, default)
        return value if isinstance(value, int) and not isinstance(value, bool) else default

    def numbers(self, parameter: str) -> tuple[int, ...] | None:
        """An argument that is one whole number or several, in a tuple or one after another."""
        value = self.get(parameter)
        if isinstance(value, (tuple, list)) and len(value) == 1 and isinstance(value[0], (tuple, list)):
            value = value[0]
        if isinstance(value, int) and not isinstance(value, bool):
            return (value,)
        if isinstance(value, (tuple, list)) and all(isinstance(n, int) for n in value):
            return tuple(value)
        return None

    def dims(self, rank: int) -> tuple[int, ...] | None:
        """The axes that the call names, from 0; all where it names none, `None` where that cannot be told."""
        if not self.op.dims:
            return None
        value = self.get(self.op.dims)
        if value is None or value == ():
            return tuple(range(rank))
        found = self.numbers(self.op.dims)
        return tuple(n % max(rank, 1) for n in found) if found is not None else None

    def pattern(self) -> str | None:
        """The pattern of operands and results that holds for this call."""
        shapes = self.op.shapes
        return shapes(self) if callable(shapes) else shapes


def bind(
    name: str,
    args: Sequence[object],
    kwargs: Mapping[str, object],
    result: object = None,
    is_tensor: Callable[[object], bool] = has_shape,
) -> Bound | None:
    """A call with its arguments by name; `None` for an operator that is not in the table."""
    entry = find(name)
    if entry is None:
        return None
    parameters = entry.parameters
    values: dict[str, Any] = dict(zip(parameters, args))
    if len(args) >= len(parameters) and entry.rest:
        values[parameters[-1]] = tuple(args[len(parameters) - 1 :])
    elif len(args) > len(parameters):
        values.update((f"argument{place}", args[place]) for place in range(len(parameters), len(args)))
    for key, value in kwargs.items():
        values[SYNONYMS.get(key, key) if key not in parameters else key] = value
    return Bound(entry, name, values, result, is_tensor)


def bound(event: Any) -> Bound | None:
    """An event of a trace with its arguments by name."""
    return bind(event.op, event.args, event.kwargs, event.result)


def use_of(event: Any, operand: Any, axis: int) -> str:
    """What an event uses one axis of an operand as: `contracted`, `samples`, `channels`, `classes`, `normalized` ...,
    `kept`; empty where that is not known.

    Args:
        event: an event of a trace.
        operand: one of its tensors, or the name of the parameter.
        axis: from 0, or negative from the end.
    """
    call = bound(event)
    if call is None:
        return ""
    name = operand if isinstance(operand, str) else next((n for n, t in call.tensors() if t is operand), "")
    found = uses(call).get(name, ())
    return found[axis] if -len(found) <= axis < len(found) else ""


SYNONYMS = {"axis": "dim", "self": "input"}


def layout(call: Bound) -> Layout | None:
    """Where each axis of the result comes from; `None` where that is not known."""
    try:
        if call.op.axes is not None:
            return call.op.axes(call)
        pattern = call.pattern()
        return patterns.layout(pattern, call) if pattern is not None else None
    except (IndexError, KeyError, TypeError, AttributeError, ValueError):
        return None  # an unusual form of the call: its axes stay unknown, which no rule takes for evidence


def uses(call: Bound) -> dict[str, tuple[str, ...]]:
    """What each tensor operand's axes are used as: `contracted`, `samples`, `channels`, `classes`, `normalized` ...,
    `kept`."""
    pattern = call.pattern()
    if pattern is not None:
        return patterns.uses(pattern, call)
    name, first = next(call.tensors(), ("", None))
    rank = len(call.shape(first)) if first is not None else 0
    if call.op.used and first is not None:
        return {name: _spread(call.op.used if isinstance(call.op.used, str) else call.op.used(call), rank)}
    if not call.op.dim:
        return {}
    named = call.dims(rank)
    return {name: tuple(call.op.dim if d in named else "kept" for d in range(rank))} if named is not None else {}


def _spread(used: str, rank: int) -> tuple[str, ...]:
    """Uses of `rank` axes: the part with `*` takes as many as are left.

    >>> _spread("samples channels *space", 4)
    ('samples', 'channels', 'space', 'space')
    """
    parts = used.split()
    many = next((at for at, part in enumerate(parts) if part.startswith("*")), len(parts))
    filled = (*parts[:many], *parts[many : many + 1] * (rank - len(parts) + 1), *parts[many + 1 :])
    return tuple(part.lstrip("*") for part in filled) if len(filled) == rank else ()


def misfit(call: Bound) -> Misfit | None:
    """The first violated constraint of the operands, `None` where they fit or nothing is known."""
    if call.op.fits is not None:
        return call.op.fits(call)
    pattern = call.pattern()
    return patterns.misfit(pattern, call) if pattern is not None else None


def constrained(name: str) -> bool:
    """Whether the table states what operands of this operator must fulfil."""
    entry = find(name)
    return entry is not None and (entry.fits is not None or entry.shapes is not None)
