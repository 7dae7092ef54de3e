"""Where the sample axis of one operand is combined with another axis of the other, though that one has it too.

Pure: it reads facts of a trace. It judges nothing.
"""

from __future__ import annotations

from .. import ops
from ..trace import Axis, TensorFact
from .flow import counts_samples


def crossing(a: TensorFact, b: TensorFact, samples: frozenset[int]) -> tuple[int, int, int] | None:
    """`(i, j, k)`: the sample axis is axis `i` of `a` and axis `j` of `b`, and stands opposite another axis, `k` of `b`
    or `j` of `a`. Counted from the end, from 1."""
    left, right = (
        {place: axis.uids for place, axis in enumerate(reversed(fact.axes), 1) if axis.uids and _varies(axis)}
        for fact in (a, b)
    )
    if len(set(left.values())) != len(left) or len(set(right.values())) != len(right):
        return None  # a table of one axis against itself: pairs on purpose
    for i, uids in left.items():
        for j, other in right.items():
            if i == j or not counts_samples(a.axes[-i], samples):
                continue
            if uids == other and (right.get(i, uids) != uids or left.get(j, uids) != uids):
                return (i, j, i if i in right else j)
            if uids != other and _apart(a, b, i, j, samples):
                return (i, j, i) if i in right else (i, j, j)
    return None


def _varies(axis: Axis) -> bool:
    """Whether what lies along an axis differs: along one of size 1, written out or not, one value meets each other."""
    return axis.size > 1 and not (axis.origin is not None and ops.is_a(axis.origin.note, "expands"))


def _apart(a: TensorFact, b: TensorFact, i: int, j: int, samples: frozenset[int]) -> bool:
    """Whether one operand holds a value or a row for each of the samples that are the outermost axis of the other,
    higher one, and stands opposite an inner axis of it: `(batch, 1)` against `(batch, channels, height, width)`."""
    if not counts_samples(b.axes[-j], samples) or a.axes[-i].size != b.axes[-j].size:
        return False
    low, inner, high, outer = (a, i, b, j) if a.rank < b.rank else (b, j, a, i)
    if (
        low.rank == high.rank
        or outer != high.rank
        or inner > low.rank
        or low.rank > 2
        or inner != low.rank
        or any(axis.size > 1 for axis in low.axes[1:])
    ):
        return False
    return not counts_samples(high.axes[-inner], samples) and high.axes[-inner].size == low.axes[-inner].size
