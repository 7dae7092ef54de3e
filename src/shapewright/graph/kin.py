"""Asks which operands of a loss were computed from samples of the same kind.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..trace import Kin, TensorFact, Trace
from .flow import grouped, operands
from .training import ancestors

NEAR = 400


def inputs(trace: Trace, fact: object) -> set[int]:
    """The inputs of models, of those whose kinds are known, that a value was computed from."""
    known = {uid for one in trace.data.kin for uid in one.inputs}
    if not known or not isinstance(fact, TensorFact):
        return set()
    given = (part.uid for event in ancestors(trace, fact, NEAR).values() for part in operands(event))
    return known.intersection(given)


def other_kind(trace: Trace, near: Sequence[set[int]], far: Sequence[set[int]]) -> Kin | None:
    """What says that two values that a loss draws together, each by its inputs, are of no kind in common, while two
    that it drives apart are of one; `None` where nothing does, or a table says the opposite."""
    told = (_pair(near), _pair(far))
    tables = grouped(((one.table, one.site), one) for one in trace.data.kin if frozenset(one.inputs) in told)
    found: Kin | None = None
    for held in tables.values():
        alike = {frozenset(one.inputs): one for one in held}
        if None in told or len(alike) < 2:
            continue
        drawn, driven = (alike[pair] for pair in told if pair is not None)
        if drawn.alike and not driven.alike:
            return None
        found = driven if driven.alike and not drawn.alike else found
    return found


def _pair(sides: Sequence[set[int]]) -> frozenset[int] | None:
    """The two inputs that two values were computed from, one each, or one value from both."""
    if len(sides) == 2 and any(len(side) != 1 for side in sides):
        return None
    pair = frozenset().union(*sides)
    return pair if len(pair) == 2 else None
