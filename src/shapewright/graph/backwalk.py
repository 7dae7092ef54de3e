"""For an axis of a call's result: which axis of which operand it came from, and what the call did to it: the table's
axis maps, read backwards.

Pure arithmetic on `Event`s. One step only; `origins` takes the steps one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import ops
from ..dataclass import dataclass
from ..ops import Place
from ..trace import Event, TensorFact
from .flow import operands, tensors

__all__ = ["Step", "came_from", "makes", "operands", "tensors"]
SETS = ("windowed", "set")


@dataclass(frozen=True)
class Step:
    """`verdict`: `passes` (unchanged), `moves` (another position), `shapes` (another size, or merged), `sets` (a module
    or parameter decides it) or `makes` (a factory). `sources` are the axes that it came from: `(operand, axis)`, most
    telling first. `factor` is the operand whose own size decides (a weight), if any."""

    verdict: str
    sources: tuple[tuple[TensorFact, int], ...] = ()
    factor: tuple[TensorFact, int] | None = None


def makes(event: Event) -> bool:
    """Whether an event is a factory call, whose result's axes come from no operand."""
    given = operands(event)
    if not given:
        return True
    copies = ops.is_a(event.op, "takes_data") and isinstance(event.result, TensorFact)
    return ops.is_a(event.op, "makes") and not (copies and given[0].shape == event.result.shape)


def came_from(event: Event, result: TensorFact, axis: int) -> Step:
    """Where axis `axis` (from 0) of `result`, made by `event`, came from."""
    if makes(event):
        return Step("makes")
    shape = result.shape or ()
    call = ops.bound(event)
    layout = _layout_of(event.result, ops.layout(call), result) if call is not None else None
    if layout is not None and len(layout) == len(shape) and axis < len(shape):
        return _step(event.op, layout[axis], shape, axis)
    return _by_size(operands(event), shape, axis)


def _layout_of(made: Any, layout: Any, wanted: TensorFact) -> Any:
    """The layout of one of several results."""
    if layout is None or isinstance(made, TensorFact):
        return layout
    return next((given for part, given in _pairs(made, layout) if part.uid == wanted.uid), None)


def _pairs(made: Any, layout: Any) -> Iterator[tuple[TensorFact, Any]]:
    if isinstance(made, TensorFact):
        yield made, layout
    elif isinstance(made, (tuple, list)) and layout is not None:
        for part, given in zip(made, layout):
            yield from _pairs(part, given)


def _step(op: str, place: Place, shape: tuple[int, ...], axis: int) -> Step:
    size = shape[axis]
    sources = tuple((fact, at) for fact, at in place.sources if fact.shape is not None)
    fitting = [(fact, at) for fact, at in sources if fact.shape[at] == size]
    if place.how in ("kept", "windowed") and fitting:
        fitting.sort(key=lambda source: (source[0].shape != shape, -len(source[0].shape or ())))
        first, at = fitting[0]
        moved = at != axis or len(first.shape or ()) != len(shape)
        return Step(
            "moves" if moved and ops.is_a(op, "reshapes", "reduces", "stacks", "reads") else "passes", tuple(fitting)
        )
    if place.how == "folded" and place.key:
        first, at = sources[0]
        return Step("moves" if at != axis or len(first.shape or ()) != len(shape) else "passes", sources)
    if place.how in SETS:
        return Step("sets", sources, place.factor)
    if place.how == "joined":
        longest = tuple(sorted(sources, key=lambda source: -(source[0].shape or ())[source[1]])[:2])
        return Step("passes" if len(sources) == 1 else "shapes", longest)
    if place.how == "picked" and place.key == "rows":
        return Step("passes", sources[:1])
    return Step("shapes", sources)


def _by_size(given: list[TensorFact], shape: tuple[int, ...], axis: int) -> Step:
    """An operator that the table does not know: operands of the result's shape, else axes that agree from the right."""
    for operand in given:
        if operand.shape == shape:
            return Step("passes", ((operand, axis),))
    back = axis - len(shape)
    known = [(fact, fact.shape) for fact in given if fact.shape is not None]
    fits = [(fact, own) for fact, own in known if -back <= len(own) and own[back] == shape[axis]]
    if fits and all(len(own) <= len(shape) for _, own in known):
        fits.sort(key=lambda pair: -len(pair[1]))
        return Step("passes", tuple((fact, len(own) + back) for fact, own in fits))
    first, own = known[0]
    same = next((i for i, n in enumerate(own) if n == shape[axis]), None)
    return Step("shapes", ((first, same),) if same is not None else tuple((fact, -1) for fact, _ in known[:2]))
