"""Steps of the inputs along the sign of a gradient with regard to them, and the losses of one network before and after:
an attack against which the network is trained.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, StepFact, TensorFact, Trace
from .flow import argument, consumers, operands, produced, root
from .ledger import ledger
from .signs import moved, sign_in_loss, step_in_loss
from .training import ancestors, losses

SIGNS = ops.named("directions")
KEPT, NOISE = ("cuts", "keeps_values"), ("draws", "draws_normal")
FAR = 4  # factors between a sign and the step
LOSSES = ("classifies", "binary", "measures_error")


@dataclass(frozen=True)
class Attack:
    """`event` moves inputs: `rises` tells whether along the gradient of the loss that `before` computes of them, or
    against it. `after` computes the same loss of the network's outputs for what they are then, which a step lowers.
    `passes` are the `backward` of either. `apart`: what is moved holds random numbers, or the network judged it in
    evaluation mode, so that the first of the two losses is not one to learn from."""

    event: Event
    before: Event
    after: Event
    rises: bool
    passes: tuple[StepFact, StepFact]
    apart: bool


def attacks(trace: Trace) -> Iterator[Attack]:
    """Every such step for whose direction there is one answer."""
    passes = list(losses(trace)) if any(event.op in SIGNS for event in trace.events) else []
    lowered = {(step.index, fact.producer): sign for step, fact, sign in moved(trace)} if passes else {}
    for event in trace.events if passes else ():
        if event.op not in SIGNS or len(operands(event)) != 1:
            continue
        gradient = root(trace, operands(event)[0], lambda one: ops.is_a(one.op, *KEPT), FAR)
        if gradient.uid or gradient.producer >= 0:
            continue  # it was computed
        for step, base, direction in _steps(trace, event):
            made = root(trace, base, lambda one: ops.is_a(one.op, *KEPT), FAR)
            summed = produced(trace, made)
            parts = operands(summed) if summed is not None and ops.is_a(summed.op, "adds") else []
            inputs = frozenset({base.uid, made.uid, *(one.uid for one in parts if one.requires_grad)}) - {0}
            earlier = [one for one in passes if one[1].producer < event.index and _reads(trace, one[1], inputs)]
            later = [one for one in passes if one[1].producer > step.index]
            if not earlier or not later or not inputs or {base.kind, made.kind} != {"tensor"}:
                continue
            (first, before), (second, after) = earlier[-1], later[0]
            if lowered.get((second.index, after.producer)) != 1 or not ledger(trace).taught(second):
                continue
            told = _same_loss(trace, before, after, base) if _reaches(trace, step, inputs, after) else None
            if told is not None:
                turn = direction * int(first.data.get("turn", 1))
                if turn:
                    yield Attack(step, *told, turn > 0, (first, second), _apart(trace, before, base))


def _apart(trace: Trace, loss: TensorFact, moved: TensorFact) -> bool:
    """Whether the loss that an attack begins with is one of inputs with noise, or of a network in evaluation mode."""
    behind = ancestors(trace, loss).values()
    calls = [event for event in behind if event.modules]
    noise = (event for event in behind if not event.modules and ops.is_a(event.op, *NOISE))
    drawn = any(isinstance(event.result, TensorFact) and event.result.shape == moved.shape for event in noise)
    return drawn or (bool(calls) and not any("training" in event.flags for event in calls))


def _steps(trace: Trace, sign: Event) -> Iterator[tuple[Event, TensorFact, int]]:
    """`(sum, what is moved, 1 or -1)` where a sign, perhaps with a factor, is added to something of its shape."""
    queue = [(sign, 1, 0)]
    while queue:
        event, turn, far = queue.pop()
        for user in consumers(trace, event.index):
            step = step_in_loss(user, event.index) if "alpha" not in user.kwargs else 0
            others = [fact for fact in operands(user) if fact.producer != event.index]
            if ops.is_a(user.op, "offsets") and len(others) == 1 and step:
                if others[0].shape == operands(sign)[0].shape:
                    yield user, others[0], turn * step
            elif ops.is_a(user.op, "scales", "negates") and step and far < FAR and not others:
                queue.append((user, turn * step, far + 1))


def _reads(trace: Trace, loss: TensorFact, inputs: frozenset[int]) -> bool:
    """Whether a loss was computed of inputs that learn."""
    made = ancestors(trace, loss).values()
    return any(fact.uid in inputs and fact.requires_grad for event in made for fact in event.given) or any(
        fact.uid in inputs for event in made for fact in event.given if event.modules
    )


def _reaches(trace: Trace, step: Event, inputs: frozenset[int], loss: TensorFact) -> bool:
    """Whether a loss was computed of inputs that were moved, be it that they were written into the tensor that holds
    them."""
    made = ancestors(trace, loss)
    if step.index in made:
        return True
    writes = (one for one in trace.events[step.index :] if one.op == "data_set" and len(one.given) == 2)
    for one in writes:
        if one.given[0].uid in inputs and step.index in ancestors(trace, one.given[1]):
            return any(index > one.index and any(f.uid in inputs for f in made[index].given) for index in made)
    return False


def _same_loss(trace: Trace, before: TensorFact, after: TensorFact, moved: TensorFact) -> tuple[Event, Event] | None:
    """The events that compute one loss of one network and the same targets, one for each row of what was moved, which
    both tensors grow with."""
    first, second = (
        [one for one in ancestors(trace, fact).values() if ops.is_a(one.op, *LOSSES)] for fact in (before, after)
    )
    for one in first:
        for other in second:
            targets = [argument(event, 1, "target") for event in (one, other)]
            facts = [target for target in targets if isinstance(target, TensorFact) and target.uid]
            same = one.op == other.op and len(facts) == 2 and facts[0].uid == facts[1].uid
            same = same and (facts[0].shape or ())[:1] == (moved.shape or ())[:1]
            if same and one.index != other.index and _networks(trace, one) & _networks(trace, other):
                signs = [
                    sign_in_loss(trace, event, frozenset({fact.producer}))
                    for event, fact in ((one, before), (other, after))
                ]
                return (one, other) if signs == [1, 1] else None
    return None


def _networks(trace: Trace, loss: Event) -> frozenset[int]:
    """The outermost modules behind a loss."""
    made = ancestors(trace, operands(loss)[0]).values()
    return frozenset(event.modules[0] for event in made if event.modules)
