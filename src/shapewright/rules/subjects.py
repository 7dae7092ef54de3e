"""What a rule is about, declared above its `check`: the calls of some operators. The rule is asked about each of them
by itself. It decides nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

from .. import ops
from ..graph.flow import one_per_place
from ..trace import Event, Trace
from .facts import Facts

Asked = Callable[[Trace, Event], Iterable[Facts]]


def of_calls(*operators: str) -> Callable[[Asked], Callable[[Trace], Iterator[Facts]]]:
    """Makes the `check` of a rule about single calls: it is asked about each on a line of the user's whose operator is
    one of these (by group or name; about any where none is given), and a place is told of once."""
    groups = [name for name in operators if ops.find(name) is None]
    meant = frozenset(operators) | (ops.named(*groups) if groups else frozenset())

    def declared(rule: Asked) -> Callable[[Trace], Iterator[Facts]]:
        @one_per_place
        @functools.wraps(rule)
        def check(trace: Trace) -> Iterator[Facts]:
            for event in trace.events:
                if event.site is not None and (not operators or event.op in meant):
                    yield from rule(trace, event)

        return check

    return declared
