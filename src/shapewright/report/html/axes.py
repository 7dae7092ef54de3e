"""Which axis is which on the page: two axes of one identity have one number, and so one color, wherever they appear.

An axis of size one has no identity of its own in a trace; the place where it came from is taken for it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import field

from ...dataclass import dataclass
from ...graph.flow import operands, tensors
from ...trace import Axis, Binding, Event, Site, TensorFact, Trace

Key = tuple[object, ...]
MOVES = ("permute", "transpose", "t", "movedim", "swapaxes", "contiguous", "to", "float")
STEPS = 8  # of one axis's history


@dataclass
class Entry:
    """What hovering an axis tells. `history` holds `(site, name, shape as text, place of the axis)` in order of run."""

    number: int
    size: int
    role: str = ""
    note: str = ""
    kind: str = ""
    site: Site | None = None
    history: list[tuple[Site, str, tuple[int, ...], int]] = field(default_factory=list)


class AxisBook:
    """Numbers the axes of one trace in the order in which the page asks for them."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.entries: dict[Key, Entry] = {}
        self._known = _known(trace)
        self._placed = _placed(self._bound_axes())

    def axes(self, fact: TensorFact) -> tuple[Axis, ...]:
        """The axes of a tensor, as far as they are known."""
        shape = fact.sizes
        found = self._known.get((fact.uid, shape), fact.axes)
        return found if len(found) == len(shape) else tuple(Axis(size) for size in shape)

    def entry(self, axis: Axis) -> Entry | None:
        """The entry of an axis, numbered at the first asking; `None` for one of which nothing is known."""
        name = key(axis)
        if name is None:
            return None
        if name not in self.entries:
            origin = axis.origin
            history = self._placed.get(name, [])
            site = origin.site if origin and origin.site else history[0][0] if history else None
            self.entries[name] = Entry(
                len(self.entries),
                axis.size,
                axis.role,
                origin.note if origin else "",
                origin.kind if origin else "",
                site,
                history[:STEPS],
            )
        made = self.entries[name]
        made.role = made.role or axis.role
        return made

    def _bound_axes(self) -> Iterator[tuple[Binding, tuple[Axis, ...]]]:
        for one in self.trace.bound:
            yield one, self.axes(one.fact)


def key(axis: Axis) -> Key | None:
    """What two axes share that are one."""
    if axis.uids:
        return ("of", *sorted(uid for uid, _ in axis.uids))
    if axis.origin is not None and axis.origin.site is not None:
        site = axis.origin.site
        return ("from", axis.size, axis.origin.kind, os.path.abspath(site.file), site.line)
    return None


def related(one: Axis, other: Axis) -> bool:
    """Whether they are one axis, or one is a factor of the other."""
    if one.uids and other.uids:
        return bool({uid for uid, _ in one.uids} & {uid for uid, _ in other.uids})
    return key(one) is not None and key(one) == key(other)


def _known(trace: Trace) -> dict[tuple[int, tuple[int, ...]], tuple[Axis, ...]]:
    """The axes of each tensor and shape, from the telling with most roles; a tensor that came from outside of torch
    has those of what was first made of it by moving axes only."""
    found: dict[tuple[int, tuple[int, ...]], tuple[Axis, ...]] = {}
    for event in trace.events:
        for fact in (*operands(event), *tensors(event.result)):
            place = (fact.uid, fact.sizes)
            if len(fact.axes) == len(fact.sizes) and _told(fact.axes) > _told(found.get(place, ())):
                found[place] = fact.axes
    for event in trace.events:
        _adopt(event, found)
    return found


def _told(axes: Iterable[Axis]) -> tuple[int, int]:
    known = [axis for axis in axes if key(axis) is not None]
    return len(known), sum(bool(axis.role) for axis in known)


def _adopt(event: Event, found: dict[tuple[int, tuple[int, ...]], tuple[Axis, ...]]) -> None:
    result = event.result
    if event.op not in MOVES or not isinstance(result, TensorFact) or len(result.axes) != len(result.sizes):
        return
    for fact in operands(event)[:1]:
        if (fact.uid, fact.sizes) in found or sorted(fact.sizes) != sorted(result.sizes):
            continue
        by_size = {axis.size: axis for axis in result.axes if result.sizes.count(axis.size) == 1}
        found[fact.uid, fact.sizes] = tuple(by_size.get(size, Axis(size)) for size in fact.sizes)


def _placed(
    bound: Iterable[tuple[Binding, tuple[Axis, ...]]],
) -> dict[Key, list[tuple[Site, str, tuple[int, ...], int]]]:
    placed: dict[Key, list[tuple[Site, str, tuple[int, ...], int]]] = {}
    for one, axes in bound:
        for place, axis in enumerate(axes):
            name = key(axis)
            if name is not None:
                steps = placed.setdefault(name, [])
                if not any(site.line == one.site.line and said == one.name for site, said, _, _ in steps):
                    steps.append((one.site, one.name, one.fact.sizes, place))
    return placed
