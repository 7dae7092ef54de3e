"""Who made a tensor, and which argument of which constructor decided its size: what `origins` asks at each step."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from .. import ops
from ..ops import layers
from ..trace import Event, ModuleFact, TensorFact, Trace
from . import backwalk
from .flow import lineage

NEARBY = 8


class Makers:
    """The events that made the tensors of one trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._by_uid: dict[int, int] | None = None

    def producer(self, fact: TensorFact) -> Event | None:
        """The event that made a tensor."""
        events = self.trace.events
        if 0 <= fact.producer < len(events):
            return events[fact.producer]
        if self._by_uid is None:
            self._by_uid = {}
            for event in events:
                for part in backwalk.tensors(event.result):
                    if part.uid:
                        self._by_uid.setdefault(part.uid, event.index)
        index = self._by_uid.get(fact.uid, -1) if fact.uid else -1
        return events[index] if 0 <= index < len(events) else None

    def lineage(self, fact: TensorFact, follow: Callable[[Event], Iterable[TensorFact]], most: int) -> Iterator[Event]:
        """What `flow.lineage` gives, of tensors that the failing call was given, too."""
        return lineage(self.trace, fact, follow, most, lambda _, part: self.producer(part))

    def maker(self, fact: TensorFact) -> Event | None:
        """The event that gave a tensor its size: of one that was only filled in place, as weights are, the one that
        made it."""
        event = self.producer(fact)
        if event is None or not (event.op.endswith("_") and ops.is_a(event.op, "fills")):
            return event
        made = next(
            (
                other
                for other in self.trace.events[: event.index]
                if any(part.uid == fact.uid for part in backwalk.tensors(other.result))
            ),
            None,
        )
        return made or event

    def factory(self, event: Event) -> Event:
        """For a parameter: the factory call in its own statement that gave it its shape; any other event as it is."""
        if event.op != "parameter" or event.site is None or not isinstance(event.result, TensorFact):
            return event
        for other in reversed(self.trace.events[max(0, event.index - NEARBY) : event.index]):
            if (
                backwalk.makes(other)
                and other.op != "parameter"
                and other.site is not None
                and isinstance(other.result, TensorFact)
                and other.result.shape == event.result.shape
            ):
                same = [(s.file, s.line) for s in other.stack[:-1]] == [(s.file, s.line) for s in event.stack[:-1]]
                return (
                    other
                    if same
                    and other.site.file == event.site.file
                    and event.site.line <= other.site.line <= max(event.site.line, event.site.end_line)
                    else event
                )
        return event


def constructor_argument(call: ast.Call, attribute: str, module: ModuleFact) -> ast.expr | None:
    """The expression given for the constructor's argument that set an attribute of a module."""
    names = (attribute, layers.SYNONYMS.get(attribute, attribute))
    named = next((keyword.value for keyword in call.keywords if keyword.arg in names), None)
    entry = ops.layer_of(module.kind, module.config)
    places = (layers.position(name, entry.kind if entry is not None else "") for name in names)
    place = next((place for place in places if place is not None), None)
    if named is not None or place is None or any(isinstance(part, ast.Starred) for part in call.args[: place + 1]):
        return named
    return call.args[place] if place < len(call.args) else None


def result_width(module: ModuleFact) -> str:
    """The constructor's argument that sets the width of a layer's output."""
    entry = ops.layer_of(module.kind, module.config)
    return entry.width if entry is not None else ""


def window_argument(module: ModuleFact) -> str:
    """The argument that most likely decided a spatial size: the stride where there is one, else the kernel."""
    stride = module.config.get("stride")
    return "stride" if stride not in (None, 1, (1,), (1, 1), (1, 1, 1)) else "kernel_size"
