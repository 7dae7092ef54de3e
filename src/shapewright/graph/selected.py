"""Rows that a mask or an index left of a tensor: how many they are is the data's word, and no size of the author's."""

from __future__ import annotations

from .. import ops
from ..trace import Event, TensorFact, Trace
from .backwalk import came_from
from .flow import produced

STEPS = 12


def selection(trace: Trace, fact: TensorFact, axis: int) -> Event | None:
    """The call that picked, by a tensor of one axis, what an axis holds: its base had another size there. `None` where
    the axis was not picked.

    Args:
        trace: the run.
        fact: a tensor.
        axis: one of its axes, from 0.
    """
    for _ in range(STEPS):
        event = produced(trace, fact)
        if event is None or not fact.shape or not 0 <= axis < len(fact.shape):
            return None
        given = list(event.given)
        if ops.is_a(event.op, "brackets") and axis == 0 and len(given) == 2:
            base, index = given
            if index.rank == 1 and base.rank and base.sizes[0] != fact.sizes[0]:
                return event
        step = came_from(event, fact, axis)
        if step.verdict not in ("passes", "moves") or not step.sources:
            return None
        fact, axis = step.sources[0]
    return None
