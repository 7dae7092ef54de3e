"""Questions about copies of parameters: is a copy a second name of the same memory, does anything read it?

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .. import ops
from ..trace import Event, Site, TensorFact, Trace
from .bootstrap import Bootstrap
from .flow import consumers, once, operands, produced, tensors
from .ledger import ALIASES, Ledger, Write, ledger
from .training import ancestors, of_kind

MOVING = frozenset({"add_", "lerp_", "copy_", "_foreach_add_", "_foreach_lerp_", "_foreach_copy_"})
PARTLY = MOVING - {"copy_", "_foreach_copy_"}


def own_averages(trace: Trace, began: int) -> Iterator[tuple[Site, Site]]:
    """`(the write, where its second name was made)` of every write to a trained parameter of its own numbers, by a name
    from before event `began` and by another."""
    book = ledger(trace)
    for write in book.writes:
        event, site = write.event, write.event.site
        if event.index <= began or event.op not in MOVING or write.target not in book.stepped or site is None:
            continue
        near = [event, *(other for fact in operands(event) for other in ancestors(trace, fact, 30).values())]
        read = [fact for other in near if _line(other.site) == _line(site) for fact in operands(other)]
        names = [_named(trace, fact) for fact in read if book.aliased(fact) == write.target]
        made = [maker for maker in names if maker is not None and maker.index < began]
        if made and made[0].site is not None and len(made) < len(names):
            yield site, made[0].site


def following_themselves(trace: Trace, began: int) -> Iterator[tuple[Write, int, int]]:
    """`(a write, the network written to, a trained network of its make)` of every network that no step changes, that is
    called, and to whose parameters nothing but their own numbers is written after event `began`."""
    book = ledger(trace)
    own, fed = dict[int, Write](), set[int]()
    for write in book.writes:
        if write.event.index > began and write.event.op in MOVING and write.event.site is not None:
            own.setdefault(write.target, write)
    for event in trace.events[began:] if own else ():
        if event.op not in MOVING | {"data_set"} or not operands(event):
            continue
        target, *rest = operands(event)
        if any(book.sources(fact) != {book.aliased(target)} for fact in rest):
            fed.add(book.aliased(target))
    called = {step.data["module"] for step in of_kind(trace, "forward") if step.data["module"] in book.networks}
    for behind in sorted(called):
        held = book.networks[behind]
        if book.trained(behind) or not held & own.keys() or held & fed:
            continue
        for learner, other in book.networks.items():
            if book.trained(learner) and not held & other and alike(book, learner, behind):
                yield own[min(held & own.keys())], behind, learner
                break


def unstored(trace: Trace, began: int) -> Iterator[tuple[Event, int, int]]:
    """`(a sum that nothing reads, the network whose parameter it reads, a trained network of its make)` of every sum
    after event `began` of a trained parameter and that of a network which is called and never changes."""
    book = ledger(trace)
    called = {step.data["module"] for step in of_kind(trace, "forward") if step.data["module"] in book.networks}
    facts = {own: [book.parameters[uid] for uid in book.networks[own]] for own in sorted(called)}
    fixed = [own for own, held in facts.items() if {one.began - one.ended for one in held} == {0}]
    for event in trace.events[began:] if fixed else ():
        parts = [book.sources(fact) for fact in operands(event)]
        mixing = ops.is_a(event.op, "adds", "averages_two") and not event.op.endswith("_") and not event.modules
        if not mixing or len(parts) != 2 or consumers(trace, event.index) or any(len(one) != 1 for one in parts):
            continue
        for own, other in (parts, parts[::-1]):
            fits = [one for one in fixed if own <= book.networks[one] and not other & book.networks[one]]
            for behind in fits[:1] if other <= book.stepped else ():
                makes = (one for one in book.networks if other <= book.networks[one] and alike(book, one, behind))
                yield from ((event, behind, learner) for learner in itertools.islice(makes, 1))


def drawn_near(trace: Trace) -> Iterator[tuple[Write, int]]:
    """`(the write, a parameter that optimizers step)` of every write in training that takes a tensor a part of the way
    to that parameter, of another layer, where none takes that parameter towards the tensor."""
    book = ledger(trace)
    began = _first_backward(trace)
    late = [write for write in book.writes if write.event.index > began and write.event.site is not None]
    pairs = {(write.target, source) for write in late for source in write.sources}
    for write in late:
        part = write.target in write.sources or write.event.op in PARTLY
        for source in (write.sources & book.stepped) - {write.target} if part else ():
            one, other = book.parameters[write.target], book.parameters[source]
            if one.shape == other.shape and one.module != other.module and (source, write.target) not in pairs:
                yield write, source


def mixed(trace: Trace) -> Iterator[Event]:
    """Every sum in training, without a graph and outside of models, of two parts of one shape that come from one and
    the same parameter that optimizers step: a running average that is kept in plain tensors."""
    book = ledger(trace)
    began = _first_backward(trace)
    shapes = {book.parameters[uid].shape for uid in book.stepped & book.parameters.keys()}
    for event in trace.events[began:]:
        if event.site is None or event.modules or not (ops.is_a(event.op, "adds") or event.op in PARTLY):
            continue
        parts = operands(event)
        if len({fact.uid for fact in parts}) != 2 or any(fact.requires_grad for fact in tensors(event.result)):
            continue
        if parts[0].shape == parts[1].shape and parts[0].shape in shapes:
            own = [book.sources(fact) for fact in parts]
            if own[0] == own[1] and len(own[0]) == 1 and own[0] <= book.stepped:
                yield event


@once
def stepped_by_hand(trace: Trace) -> frozenset[int]:
    """The parameters that the script's own operators change in place, or set, after something was learned."""
    book, began = ledger(trace), _first_backward(trace)
    late = (one for one in trace.events[began:] if one.op.endswith(("_", "data_set")) and one.site is not None)
    return frozenset(uid for event in late for fact in operands(event)[:1] if (uid := book.aliased(fact)))


def _first_backward(trace: Trace) -> int:
    """The count of events before anything learned."""
    return next((step.data["at"] for step in of_kind(trace, "backward")), len(trace.events))


@once
def followers(trace: Trace) -> frozenset[int]:
    """The parameters that are running averages of trained ones: so are the others that moved of a network that no
    optimizer steps, since a run keeps only so many writes of one line."""
    book, own = ledger(trace), frozenset(write.target for write, _ in drawn_near(trace))
    facts = book.parameters
    beside = (held for held in book.networks.values() if held & own and not held & book.stepped)
    return own.union(
        *({uid for uid in held if not facts[uid].began or facts[uid].began != facts[uid].ended} for held in beside)
    )


def bootstrapped(book: Ledger, found: Bootstrap) -> Iterator[tuple[int, int]]:
    """`(the network that learns, the one that computes its targets)`: of one shape, and not one within the other."""
    reached, ahead = book.learners(found.value), book.sources(found.ahead)
    for learner, own in book.networks.items():
        for behind, other in book.networks.items():
            if (
                learner != behind
                and own & reached & book.stepped
                and other & ahead
                and not (other & book.stepped) - own
                and alike(book, learner, behind)
            ):
                yield learner, behind


def alike(book: Ledger, one: int, other: int) -> bool:
    """Whether two networks are of one class and have parameters of the same shapes."""
    same = book.trace.modules[one].kind == book.trace.modules[other].kind
    return same and book.shapes(book.networks[one]) == book.shapes(book.networks[other])


def is_read(trace: Trace, copies: set[int], began: int) -> bool:
    """Whether anything but the copying itself reads some parameters after event `began`: a computation, or a state that
    is taken."""
    book, taken = ledger(trace), {step.site for step in of_kind(trace, "state")}
    own = set[int]()
    for write in (write for write in book.writes if write.target in copies):
        own |= {write.event.index}.union(*(ancestors(trace, fact, 60) for fact in operands(write.event)))
    return any(
        event.index > began
        and event.index not in own
        and (event.op not in ALIASES or event.site in taken)
        and any(book.aliased(fact) in copies for fact in operands(event))
        for event in trace.events
    )


def _named(trace: Trace, fact: TensorFact) -> Event | None:
    """The event that gave a parameter's memory a second name, where a tensor is that name."""
    made = produced(trace, fact)
    for _ in range(8):
        if made is None or not made.op.endswith("_"):
            break
        made = produced(trace, next(iter(operands(made)), fact))
    return made if made is not None and made.op in ALIASES and ops.is_a(made.op, "cuts") else None


def _line(site: Site | None) -> tuple[str, int] | None:
    return (site.file, site.line) if site is not None else None
