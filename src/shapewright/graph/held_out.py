"""Losses that read all rows of a table of which a mask, or a list of places, picks those that are judged. Pure: it
reads a `Trace` and judges nothing."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Binding, Event, Site, TensorFact, Trace
from .flow import consumers, operands, result_shape, written
from .training import ancestors, descendants

NEAR = 40
CHANGING = frozenset({"mul", "where", "masked_fill", "masked_scatter", "index_put", "index_fill", "index_copy"})


@dataclass(frozen=True)
class Unmasked:
    """A `loss` that reads all `rows` labels of a table of which `own` picks those that `judged` compares; `other` was
    bound beside it and is never read, or (`read`) picks what is judged elsewhere."""

    loss: Event
    rows: int
    own: Binding
    judged: Event
    other: Binding
    read: bool


def unmasked(trace: Trace) -> Iterator[Unmasked]:
    """Every such loss, for each set of rows that is judged."""
    learned: dict[int, Event] = {}
    partly: set[int] = set()
    judged: list[tuple[TensorFact, TensorFact, Event]] = []
    for event in trace.events:
        if event.op == "getitem" and len(held := _picked(event)) == 2 and event.site is not None:
            met = _compared(trace, held[0])
            judged += [(one, held[1], event) for one in met if one.sizes[:1] == held[0].sizes[:1]]
            continue
        sides = operands(event)[:2] if ops.is_a(event.op, "targets", "compares") and not event.modules else []
        if len(sides) < 2 or event.site is None:
            continue
        if any(one.requires_grad for one in sides):
            whole = next((one for one in sides if not one.requires_grad), None)
            if whole is not None and ops.is_a(event.op, "targets") and whole.sizes:
                learned.setdefault(whole.uid, event)
                partly.update(held[0].uid for held in [_picked(trace.event(whole.producer))] if held)
            continue
        for held in (_picked(trace.event(one.producer)) for one in sides):
            if len(held) == 2:
                judged.append((held[0], held[1], event))
    named = {one.fact.uid: one for one in trace.bound}
    read = {fact.uid for one in trace.events for fact in one.given} if judged else set()
    apart = {index.uid: _set_apart(trace, index) for _, index, _ in judged}
    for table, index, event in judged:
        loss, own = learned.get(table.uid), named.get(index.uid)
        if loss is None or own is None or loss.site is None:
            continue
        same = (one for one in trace.bound if one.site == own.site and one.fact.dtype == index.dtype)
        beside = [one for one in same if one.fact.rank == 1 and one.fact.uid != index.uid]
        unread = next((one for one in beside if one.fact.uid not in read), None)
        weighed = any(one.sizes[:1] == table.sizes[:1] for one in operands(loss)[2:])
        every = not weighed and result_shape(loss) == () and table.uid not in partly
        drawn = [
            named[uid]
            for uid in apart
            if uid in named and named[uid].name != own.name and _together(trace, named[uid].fact, own.fact)
        ]
        if unread is None and every and any(one.fact.uid in apart for one in beside):  # two are judged, or more
            unread = next((one for one in beside if _only_counted(trace, one.fact) and _drawn(trace, one.fact)), None)
        divided = every and apart[index.uid]
        other = unread or next((one for one in beside + drawn if divided and apart.get(one.fact.uid)), None)
        if other is not None and event.site is not None:
            yield Unmasked(loss, table.sizes[0], own, event, other, unread is None)


def _picked(event: Event | None) -> list[TensorFact]:
    """A table and the mask, or the list of places, that an event picks rows of it by."""
    held = operands(event) if event is not None and event.op == "getitem" else []
    return held if len(held) == 2 and held[1].rank == 1 and held[0].sizes and held[1].uid else []


def _compared(trace: Trace, fact: TensorFact) -> list[TensorFact]:
    """The two sides, neither of which learns, of the comparison that a table of hits was made by."""
    made = trace.event(fact.producer)
    while made is not None and ops.is_a(made.op, "casts") and operands(made):
        made = trace.event(operands(made)[0].producer)
    sides = operands(made) if made is not None and made.op == "eq" and not made.modules else []
    return [] if len(sides) != 2 or any(one.requires_grad for one in sides) else sides


def _made(trace: Trace, index: TensorFact) -> dict[int, Event]:
    """What a mask, or a list of places, was made by, and what was written into it."""
    writes = written(trace).get(index.producer, ())
    made = {one.index: one for one in writes}
    for fact in (index, *(part for one in writes for part in operands(one)[1:])):
        made.update(ancestors(trace, fact, NEAR))
    return made


def _set_apart(trace: Trace, index: TensorFact) -> bool:
    """Whether a mask, or a list of places, was written or counted up by itself, and not computed from the rows; nor
    were other numbers given to the rows that it, or its order, tells of: how each kind was learned is then asked on
    purpose."""
    made = _made(trace, index)
    if any(one.modules or (ops.is_a(one.op, "compares") and one.op in ("eq", "ne")) for one in made.values()):
        return False
    if not any(one.op in ("randperm", "arange") or one.args[2:] == (True,) for one in made.values()):
        return False
    return _as_they_are(trace, index)


def _drawn(trace: Trace, index: TensorFact) -> bool:
    """Whether a mask, or a list of places, was drawn, of each kind of rows perhaps, and the rows stayed as they
    were."""
    return any(one.op == "randperm" for one in _made(trace, index).values()) and _as_they_are(trace, index)


def _only_counted(trace: Trace, index: TensorFact) -> bool:
    """Whether nothing is known of a mask, or a list of places, but how many rows it has."""
    after = descendants(trace, [index], NEAR).values()
    return all(ops.is_a(one.op, "reduces", "leaves", "casts") or one.op == "len" for one in after)


def _as_they_are(trace: Trace, index: TensorFact) -> bool:
    """Whether no numbers were given to the rows that a mask, or its order, tells of."""
    made = _made(trace, index)
    users = [user for at in {index.producer, *made} if at >= 0 for user in consumers(trace, at)]
    cut = [
        one
        for user in users
        if user.op == "getitem" and any(one.producer in made for one in operands(user)[:1])
        for one in consumers(trace, user.index)
    ]
    return not any(
        user.op in CHANGING or (user.op == "setitem" and any(one.dtype != "bool" for one in operands(user)[:1]))
        for user in users + cut
        if user.index not in made
    )


def _together(trace: Trace, one: TensorFact, other: TensorFact) -> bool:
    """Whether two masks, or lists of places, were read off one random order."""
    orders = ({at for at, made in _made(trace, fact).items() if made.op == "randperm"} for fact in (one, other))
    return bool(set.intersection(*orders))


def learned_from(trace: Trace, site: Site | None) -> bool:
    """Whether what a model answered at a site is trained on: a target network judges nothing."""
    for event in trace.events if site is not None else ():
        given = [one for one in operands(event) if isinstance(one, TensorFact)]
        if "grad" in event.flags and any(one.requires_grad for one in given):
            for one in given:
                made = ancestors(trace, one).values() if not one.requires_grad else ()
                if any(site in (before.site, *before.stack) for before in made):
                    return True
    return False
