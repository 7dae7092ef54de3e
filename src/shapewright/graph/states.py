"""Which states bootstrap targets are computed from: those that the trained network is given are not the next ones.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

from .. import ops
from ..dataclass import dataclass
from ..trace import Event, Site, StepFact, TensorFact, Trace
from .bootstrap import Bootstrap, bootstraps
from .flow import lineage, once, operands, produced, tensors
from .ledger import ledger
from .training import ancestors, answers, of_kind

MOVING = ops.named("orders_rows") | {"cat", "index_select"}
RECURRENT = frozenset(one.kind for one in ops.layers.every() if ops.is_a(one.op, "recurrent", "cells"))
TWICE, NEAREST = 2, 60  # times that states are the same; events between a network's call and its loss
Calls = dict[int, StepFact]


@dataclass(frozen=True)
class TrainedStates:
    """A network was called at `site`, each time, with the states whose value is trained, for the target that `made`
    adds up and `loss` compares: for their value (`states`), or to act in the next ones (`acted`)."""

    kind: str
    site: Site
    made: Site | None
    loss: Site | None


@once
def trained_states(trace: Trace) -> tuple[TrainedStates, ...]:
    """Every place at which networks behind bootstrap targets are given the states that are trained, each time."""
    calls = {at: step for step in of_kind(trace, "forward") for at in answers(step) if step.data.get("marks")}
    met: dict[tuple[str, Site | None, Site | None, Site | None], list[bool]] = {}
    for found in bootstraps(trace) if calls else ():
        trained = _asked(trace, found.value, calls)
        given = [_given(trace, step, calls) for step in trained]
        own = {one for step in trained for one in step.stack}
        for step in _asked(trace, found.ahead, calls):
            states = _given(trace, step, calls)
            if not (states and given and all(given)) or _of_states(trace, found, step):
                continue
            apart = next((one for one in reversed(step.stack) if one not in own), step.site)
            known = [_told(trace, one, calls) for outer in trained for one in _within(trace, outer, calls)]
            handed, data = [_told(trace, one, calls) for one in _within(trace, step, calls)], _data(trace, step)
            alike = any(states <= other for other in given) or _joined(trace, step, trained)
            if handed and data:  # beside what a network gave: an action, where the states are the first argument
                alike &= step.data["marks"][0] in data & {one.data["marks"][0] for one in trained}
            elif handed:
                alike &= all(one in known for one in handed)  # a model of the world gives the next states
            met.setdefault(("states", apart, found.made.site, found.loss.site), []).append(alike)
            for inner, (kind, before) in zip(_within(trace, step, calls), handed) if not alike and data else ():
                acted = bool(before) and before.isdisjoint(states) and any(before < other for other in given)
                place = ("acted", inner.site, found.made.site, found.loss.site)
                met.setdefault(place, []).append(acted and (kind, before) not in known)
    return tuple(
        TrainedStates(kind, site, made, loss)
        for (kind, site, made, loss), alike in met.items()
        if len(alike) >= TWICE and all(alike) and site is not None
    )


def _joined(trace: Trace, step: StepFact, trained: list[StepFact]) -> bool:
    """Whether all that a network was given is joined with something else in what the trained one was given."""
    own = {fact.uid for fact in tensors((step.data["args"], step.data["kwargs"]))}
    for other in trained:
        for fact in tensors((other.data["args"], other.data["kwargs"])):
            made = produced(trace, fact)
            if made is not None and ops.is_a(made.op, "concatenates") and own:
                if own < {part.uid for part in operands(made)}:
                    return True
    return False


def stored_twice(trace: Trace) -> bool:
    """Whether transitions were stored that hold one memory twice."""
    return any(fact.kind == "twice" and fact.stack for fact in trace.data.stored)


def _of_states(trace: Trace, found: Bootstrap, step: StepFact) -> bool:
    """Whether what is added to the value was computed from what the network was given: a function of the states, as in
    distillation, and no reward."""
    before = ancestors(trace, found.ahead)
    added = [part for part in operands(found.made) if part.uid != found.ahead.uid and part.producer not in before]
    read = {part.uid for fact in added for event in ancestors(trace, fact).values() for part in event.given}
    return not read.isdisjoint(fact.uid for fact in tensors((step.data["args"], step.data["kwargs"])))


def _asked(trace: Trace, fact: TensorFact, calls: Calls) -> list[StepFact]:
    """The calls of networks that gave a value, one for each row of it; none where rows were moved or cut."""
    moved: list[Event] = []

    def follow(event: Event) -> list[TensorFact]:
        own = [part for part in operands(event) if part.rank and ledger(trace).sources(part)]
        if event.index in calls:
            return []
        cut = isinstance(event.result, TensorFact) and event.result.sizes[:1] != own[0].sizes[:1] if own else False
        if event.op in MOVING or (cut and event.op != "stack" and not ops.is_a(event.op, "unsqueezes")):
            moved.append(event)
        return own

    found = [calls[event.index] for event in lineage(trace, fact, follow, NEAREST) if event.index in calls]
    return [] if moved else found


def _within(trace: Trace, step: StepFact, calls: Calls) -> list[StepFact]:
    """The calls of networks whose outputs a call was given."""
    given = tensors((step.data["args"], step.data["kwargs"]))
    return [one for fact in given if ledger(trace).sources(fact) for one in _asked(trace, fact, calls)]


def _told(trace: Trace, step: StepFact, calls: Calls) -> tuple[str, frozenset[int]]:
    """The class of a network that was called, and what tells what it was given."""
    module = trace.modules.get(step.data["module"])
    return module.kind if module is not None else "", _given(trace, step, calls)


def _data(trace: Trace, step: StepFact) -> frozenset[int] | None:
    """What tells the data that a network was given from others, `None` where it is not known."""
    facts = [fact for fact in tensors((step.data["args"], step.data["kwargs"])) if fact.uid]
    if len(facts) != len(step.data["marks"]):
        return None
    module = trace.modules.get(step.data["module"])
    facts = facts[:1] if module is not None and module.kind in RECURRENT else facts  # a state is no data
    return frozenset(mark for mark, fact in zip(step.data["marks"], facts) if not ledger(trace).sources(fact))


def _given(trace: Trace, step: StepFact, calls: Calls, depth: int = 8) -> frozenset[int]:
    """What tells the data that a network was given from others, or that those before it were."""
    own = _data(trace, step)
    if own is None or own or not depth:
        return own if own and 0 not in own else frozenset()
    before = _within(trace, step, calls)
    return frozenset().union(*(_given(trace, one, calls, depth - 1) for one in before))
