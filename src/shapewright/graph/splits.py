"""Which axes are the parts of one that a view split."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Site, TensorFact, Trace
from .flow import operands


def parts(trace: Trace) -> Iterator[tuple[int, tuple[Site, int]]]:
    """By the identity of an axis that a view made of a part of another one: the place of the view, and which part."""
    for event in trace.events:
        given, made = next(iter(operands(event)), None), event.result
        if not ops.is_a(event.op, "views") or event.site is None or given is None or not isinstance(made, TensorFact):
            continue
        known = {uid for axis in given.axes for uid, _ in axis.uids}
        for at, axis in enumerate(made.axes):
            if len(axis.uids) == 1 and axis.uids[0][0] not in known:
                yield axis.uids[0][0], (event.site, at)
