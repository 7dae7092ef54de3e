"""Finds losses whose targets are a network's own likeliest classes, and how a mask weighs them by their probability.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, TensorFact, Trace
from .flow import SAME_VALUES, argument, chain, maker, operands, tensors
from .training import ancestors, descendants

NEAR, FAR = 16, 12
CHOOSES = frozenset({"max", "argmax"})
PICKS = frozenset({"getitem", "masked_select", "index_select"})


def doubted(trace: Trace) -> Iterator[tuple[Event, Event]]:
    """`(loss, comparison)` of every loss of pseudo-labels of which a mask keeps those alone that the network holds
    least likely."""
    for loss in trace.events:
        target = argument(loss, 1, "target") if ops.is_a(loss.op, "classifies") and loss.site is not None else None
        chosen = _chosen(trace, target) if isinstance(target, TensorFact) and not target.requires_grad else None
        if chosen is None or not isinstance(target, TensorFact):
            continue
        after = descendants(trace, list(tensors(loss.result)), NEAR).values()
        for event in (*after, *ancestors(trace, target, NEAR).values()):
            if event.modules or not (ops.is_a(event.op, "multiplies") or event.op in PICKS):
                continue
            found = (_below(trace, fact, chosen) for fact in operands(event))
            yield from ((loss, made) for made in found if made is not None)


def _chosen(trace: Trace, fact: TensorFact) -> TensorFact | None:
    """The probabilities of which whole numbers are the likeliest class."""
    made = maker(trace, fact, lambda event: event.op in SAME_VALUES, FAR)
    if made is None or made.op not in CHOOSES or not fact.is_whole or len(operands(made)) != 1:
        return None
    given = operands(made)[0]
    before = maker(trace, given, lambda event: event.op in SAME_VALUES, FAR)
    return given if before is not None and ops.is_a(before.op, "gives_probabilities") else None


def _below(trace: Trace, mask: TensorFact, chosen: TensorFact) -> Event | None:
    """The comparison of which a mask is true where the largest of some probabilities is below a number."""
    turned = False
    for event in chain(trace, mask, lambda _: True, FAR):
        if ops.is_a(event.op, "inverts") or event.op == "rsub" or (event.op == "sub" and "reflected" in event.flags):
            turned = not turned
        elif ops.is_a(event.op, "compares"):
            given = operands(event)
            largest = maker(trace, given[0], lambda one: one.op in SAME_VALUES, FAR) if len(given) == 1 else None
            under = {"lt": True, "le": True, "gt": False, "ge": False}.get(event.op.rstrip("_"))
            same = largest is not None and largest.op in ("max", "amax") and operands(largest)[0].uid == chosen.uid
            return event if same and under is not None and under != turned else None
        elif event.op not in SAME_VALUES:
            return None
    return None
