"""What each statement bound when it first ran: names, shapes and, where they are known, the roles and origins of axes.

Pure: it reads a `Trace`. Editors, `annotate` and notebooks show it; rules do not need it."""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Axis, Event, TensorFact, Trace
from .flow import tensors


@dataclass(frozen=True, slots=True)
class Bound:
    """A name that a statement bound to a tensor. `line` and `end_line` are the statement's; `dtype` is empty where no
    operator told it."""

    name: str
    line: int
    end_line: int
    axes: tuple[Axis, ...]
    dtype: str = ""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def text(self) -> str:
        """`(batch=32, 10)`, as on every page."""
        return "(" + ", ".join(axis.label for axis in self.axes) + ")"


@dataclass(frozen=True, slots=True)
class Called:
    """An operator as it first ran at a place: the columns count characters from 1, the end is exclusive. `constraint`
    is its kind and, where a pattern states it, the pattern (`ops.stated`)."""

    op: str
    line: int
    column: int
    end_line: int
    end_column: int
    operands: tuple[TensorFact, ...]
    result: tuple[TensorFact, ...]
    constraint: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Reading:
    """What is known of one file, in the order of its lines. `text` is the source that ran."""

    text: str
    bound: tuple[Bound, ...] = ()
    called: tuple[Called, ...] = ()


def readings(trace: Trace) -> dict[str, Reading]:
    """The reading of every user file that ran, by its absolute path."""
    whole = functools.lru_cache(os.path.abspath)
    texts = {whole(file): text for file, text in trace.sources.items()}
    events: dict[str, list[Event]] = defaultdict(list)
    for event in trace.events:
        if event.site is not None:
            events[whole(event.site.file)].append(event)
    known = _known(trace)
    bound: dict[str, dict[tuple[int, str], Bound]] = defaultdict(dict)
    for one in trace.bound:
        file, key, shape = whole(one.site.file), (one.site.line, one.name), one.fact.shape or ()
        if key not in bound[file]:
            fact = known.get((one.fact.uid, shape), one.fact)
            axes = fact.axes if len(fact.axes) == len(shape) else tuple(Axis(size) for size in shape)
            end = max(one.site.line, one.site.end_line)
            bound[file][key] = Bound(one.name, one.site.line, end, axes, one.fact.dtype)
    return {
        file: Reading(
            text,
            tuple(sorted(bound[file].values(), key=lambda item: item.line)),
            tuple(_called(events[file])),
        )
        for file, text in texts.items()
    }


def _known(trace: Trace) -> dict[tuple[int, tuple[int, ...]], TensorFact]:
    """What operators told of each tensor and shape; of several tellings the one with most roles."""
    found: dict[tuple[int, tuple[int, ...]], TensorFact] = {}
    for event in trace.events:
        for fact in (*event.given, *tensors(event.result)):
            if fact.uid and fact.shape is not None and len(fact.axes) == len(fact.shape):
                key = (fact.uid, fact.shape)
                if key not in found or _roles(fact) > _roles(found[key]):
                    found[key] = fact
    return found


def _roles(fact: TensorFact) -> int:
    return sum(bool(axis.role) for axis in fact.axes)


def _called(events: list[Event]) -> Iterator[Called]:
    seen: set[tuple[str, int, int, int]] = set()
    placed = [(event.site.line, event.site.column, event.index, event.site, event) for event in events if event.site]
    for _, _, _, site, event in sorted(placed, key=lambda item: item[:3]):
        operands = event.given
        key = (event.op, site.line, site.column, site.end_column)
        if key not in seen and operands:
            seen.add(key)
            end = max(site.line, site.end_line)
            made = tuple(tensors(event.result))[:3]
            yield Called(event.op, site.line, site.column, end, site.end_column, operands[:6], made, _constraint(event))


def _constraint(event: Event) -> tuple[str, str]:
    try:
        call = ops.bound(event)
        return ops.stated(call) if call is not None else ("", "")
    except (IndexError, KeyError, TypeError, AttributeError, ValueError):
        return "", ""  # an unusual form of the call
