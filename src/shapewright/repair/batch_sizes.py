"""Batch sizes of a run in which no DataLoader tells them. It reads a trace and runs nothing."""

from __future__ import annotations

from .. import ops
from ..graph.flow import grouped, operands, tensors
from ..trace import Event, TensorFact, Trace


def given_sizes(trace: Trace) -> tuple[int, ...]:
    """Batch sizes of what the script's models were given, where no DataLoader tells: the axis of their input that is
    known to count samples, else the first, or the second where a recurrent net reads time first. What holds no
    parameter, as a loss does, is no model."""
    inside = grouped((event.modules[0], event) for event in trace.events if event.modules)
    models = {
        uid
        for uid, events in inside.items()
        if any(fact.kind == "parameter" for event in events for fact in operands(event))
    }
    found = set()
    for step in trace.steps:
        given = (
            next(iter(tensors((step.data["args"], step.data["kwargs"]))), None)
            if step.kind == "forward" and step.data["module"] in models
            else None
        )
        if given is not None and given.rank > 0:
            found.add(_samples(given, inside[step.data["module"]]))
    return tuple(sorted(found))[:4]


def _samples(given: TensorFact, events: list[Event]) -> int:
    """How many samples a model's input holds."""
    known = next((axis.size for axis in given.axes if axis.role == "batch"), None)
    if known is not None:
        return known
    read = [
        (event.args[-1], operands(event)[0].shape)
        for event in events
        if ops.is_a(event.op, "recurrent") and event.args and operands(event)
    ]
    read = [(first, shape) for first, shape in read if shape[:2] == given.shape[:2]]
    if any(len(shape) == 2 for _, shape in read):
        return 1  # one sequence without a batch axis
    return given.shape[1] if any(first is False for first, _ in read) and given.rank > 1 else given.shape[0]
