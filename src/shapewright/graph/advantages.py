"""Tells which way the weight of a likelihood counts, by what the network that it was computed with is trained to say.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from .. import ops
from ..trace import Event, TensorFact, Trace
from .bootstrap import compared
from .flow import maker, operands, produced, root
from .ledger import ledger

PICKED = ("keeps_values", "takes", "cuts", "squeezes", "unsqueezes")


def worth(trace: Trace, weight: TensorFact | None) -> int:
    """-1 where a weight is what a network says less what that network is trained to say: the worse an action turned
    out, the more it weighs; 1 where that is not so. Either may be picked for a smaller batch on the way, and what it
    said may be what it said when the action was chosen."""
    made = subtracted(trace, weight)
    sides = operands(made) if made is not None else []
    if len(sides) != 2 or sides[0].shape != sides[1].shape:
        return 1
    said, told = (root(trace, side, _picks) for side in sides)
    book = ledger(trace)
    goals = {(root(trace, a, _picks).uid, root(trace, b, _picks).uid): book.learners(a) for _, a, b in compared(trace)}
    if any(goal == said.uid for _, goal in goals):
        return 1
    spoken = book.values(said)
    return -1 if any(goal == told.uid and learners <= spoken for (_, goal), learners in goals.items()) else 1


def subtracted(trace: Trace, weight: TensorFact | None) -> Event | None:
    """The difference that a weight is, scaled, centred or picked from."""
    made = maker(trace, weight, lambda one: ops.is_a(one.op, "scales", *PICKED) or _of_mean(trace, one))
    return made if made is not None and made.op == "sub" and "reflected" not in made.flags else None


def _picks(event: Event) -> bool:
    return ops.is_a(event.op, *PICKED)


def _of_mean(trace: Trace, event: Event) -> bool:
    """Whether the mean of its own numbers is taken from a tensor."""
    given = operands(event) if ops.is_a(event.op, "subtracts") else []
    mean = produced(trace, given[1]) if len(given) == 2 else None
    return mean is not None and mean.op == "mean" and operands(mean)[0].uid == given[0].uid
