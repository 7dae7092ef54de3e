"""Which axes are the parts of one that a view split."""

from __future__ import annotations

import math
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
            within = any(_within(made, at, given, old) for old in range(given.rank))
            if within and len(axis.uids) == 1 and axis.uids[0][0] not in known:
                yield axis.uids[0][0], (event.site, at)


def _within(made: TensorFact, at: int, given: TensorFact, old: int) -> bool:
    """Whether an axis of a view holds a part of one axis of what was viewed, and nothing of its neighbors."""
    inner, outer = (math.prod(made.sizes[first:]) for first in (at + 1, at))
    low, high = (math.prod(given.sizes[first:]) for first in (old + 1, old))
    return inner > 0 and low > 0 and inner % low == 0 and high % outer == 0
