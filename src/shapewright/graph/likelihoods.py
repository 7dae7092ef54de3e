"""Finds the log-likelihoods of chosen categories (tokens of a text, actions of a policy) and the network that gave
each.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, StepFact, TensorFact, Trace
from .flow import POINTWISE, REDUCING, consumers, lineage, maker, once, operands, produced, root, tensors
from .training import ancestors, of_kind

PICKS = frozenset({"gather", "take_along_dim"})
KEPT = ("keeps_values", "cuts", "takes", "squeezes", "unsqueezes", "reshapes")


@dataclass(frozen=True)
class Likelihood:
    """`event` picks the log-likelihoods of what `chosen` (the uid of the tensor that was cut or viewed to it) says out
    of the answer of the network called by `call`."""

    event: Event
    call: StepFact
    chosen: int

    @property
    def network(self) -> int:
        """The uid of the module that gave it."""
        return int(self.call.data["module"])

    @property
    def learns(self) -> bool:
        """Whether gradients flow back into the network."""
        return isinstance(self.event.result, TensorFact) and self.event.result.requires_grad


@once
def likelihoods(trace: Trace) -> dict[int, Likelihood]:
    """All of them, by the event that picks."""
    given = {fact.uid: step for step in of_kind(trace, "forward") for fact in tensors(step.data["result"]) if fact.uid}
    found = {}
    for event in trace.events:
        sides = operands(event) if event.op in PICKS else []
        if len(sides) == 2 and _logarithms(trace, sides[0]):
            near = sorted(ancestors(trace, sides[0], 24).items(), reverse=True)  # what lies deeper may not be recorded
            told = (fact.uid for _, made in near for fact in operands(made))
            call = next((given[uid] for uid in (sides[0].uid, *told) if uid in given), None)
            if call is not None:
                found[event.index] = Likelihood(event, call, whole(trace, sides[1]).uid)
    return found


def behind(trace: Trace, fact: TensorFact) -> list[Likelihood]:
    """The likelihoods that a value was computed from, place by place or as sums over the places."""
    known = likelihoods(trace)

    def follow(event: Event) -> list[TensorFact]:
        near = event.op.rstrip("_") in POINTWISE or event.op in REDUCING or ops.is_a(event.op, *KEPT)
        return operands(event) if near and event.index not in known else []

    return [known[event.index] for event in lineage(trace, fact, follow, 24) if event.index in known]


def differences(trace: Trace) -> Iterator[tuple[Event, Likelihood, Likelihood]]:
    """Every difference of two of them for the same choices, with its sides."""
    if not likelihoods(trace):
        return
    for event in trace.events:
        sides = operands(event) if ops.is_a(event.op, "subtracts") and event.site is not None else []
        if len(sides) == 2 and sides[0].shape == sides[1].shape:
            first, second = (behind(trace, side) for side in sides)
            if len(first) == len(second) == 1 and first[0] is not second[0] and first[0].chosen == second[0].chosen:
                yield event, first[0], second[0]


def is_drawn(trace: Trace, one: Likelihood) -> bool:
    """Whether the choices were drawn by the script, as a policy's actions are."""
    made = ancestors(trace, operands(one.event)[1], 400)
    return any(ops.is_a(event.op, "policies") for event in made.values())


def is_ratio(trace: Trace, difference: Event) -> bool:
    """Whether the exponential of a difference weighs something: the ratio of two policies."""
    return any(
        user.op == "exp" and any(ops.is_a(after.op, "multiplies", "clamps") for after in consumers(trace, user.index))
        for user in consumers(trace, difference.index)
    )


def _logarithms(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is log-probabilities over categories."""
    made = maker(trace, fact, lambda event: ops.is_a(event.op, *KEPT), 8)
    if made is None or made.op == "log_softmax":
        return made is not None
    inner = [part.op if (part := produced(trace, side)) is not None else "" for side in operands(made)]
    return (made.op == "log" and inner == ["softmax"]) or (ops.is_a(made.op, "subtracts") and "logsumexp" in inner)


def whole(trace: Trace, fact: TensorFact) -> TensorFact:
    """The tensor that another is a cut or a view of."""
    return root(trace, fact, lambda event: ops.is_a(event.op, *KEPT), 8)
