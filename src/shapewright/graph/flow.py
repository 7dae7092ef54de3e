"""Reads the flow of tensors through a trace: who consumes an event's result, what a value went through, which axes
count samples.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

from .. import ops
from ..trace import Axis, Event, HostFact, TensorFact, Trace
from ..trace.event import tensors as tensors  # asked for here, beside `operands`

Known = TypeVar("Known")
Key = TypeVar("Key")
POINTWISE = ops.named("pointwise")  # one value a place: evidence about the operand holds for the result
RESHAPING = ops.named("reshapes")
REDUCING = ops.named("totals")
ELEMENTWISE = ops.named("elementwise")
REGRESSION_LOSSES = ops.named("regresses")
TARGET_LOSSES = ops.named("targets")
SAME_VALUES = ops.named("reshapes", "casts", "moves", "keeps_values", "picks")  # the values stay as they are

HANDED = SAME_VALUES | {"cat", "stack"}
LAYERS = frozenset({"linear", "conv1d", "conv2d", "conv3d", "addmm", "matmul"})


def once(asked: Callable[[Trace], Known]) -> Callable[[Trace], Known]:
    """Remembers the answer for the trace asked about last: traces are frozen but hold dicts, so they are told apart by
    identity."""
    last: list[tuple[Trace, Known]] = []

    @functools.wraps(asked)
    def remembered(trace: Trace) -> Known:
        if not last or last[0][0] is not trace:
            last[:] = [(trace, asked(trace))]
        return last[0][1]

    return remembered


def grouped(pairs: Iterable[tuple[Key, Known]]) -> dict[Key, list[Known]]:
    """Values by their keys, both in the order in which they come.

    >>> grouped((n % 2, n) for n in (1, 2, 3))
    {1: [1, 3], 0: [2]}
    """
    found: dict[Key, list[Known]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def operands(event: Event) -> list[TensorFact]:
    """The tensors among an event's arguments, in order."""
    return list(event.given)


def argument(event: Event, position: int, name: str, default: object = None) -> Any:
    """An argument by place or name."""
    return event.args[position] if len(event.args) > position else event.kwargs.get(name, default)


def plain_numbers(event: Event) -> list[int | float]:
    """The plain numbers among an event's arguments, in order."""
    return [part for part in event.args if isinstance(part, (int, float)) and not isinstance(part, bool)]


def reduction(event: Event) -> str:
    """How a loss reduces what it computed for each element: `mean`, `sum`, `none`, ..."""
    call = ops.bound(event)
    return call.reduction if call is not None else "mean"


def produced(trace: Trace, fact: TensorFact) -> Event | None:
    """The event that made a tensor."""
    return trace.event(fact.producer)


def lineage(
    trace: Trace,
    fact: object,
    follow: Callable[[Event], Iterable[TensorFact]],
    most: int = 40,
    made: Callable[[Trace, TensorFact], Event | None] = produced,
) -> Iterator[Event]:
    """The events that a tensor came from, nearest first and each once: behind an event go the operands that `follow`
    gives of it. `made` tells the event that made a tensor."""
    queue, seen = [fact], set[int]()
    while queue and len(seen) < most:
        current = queue.pop(0)
        event = made(trace, current) if isinstance(current, TensorFact) else None
        if event is not None and event.index not in seen:
            seen.add(event.index)
            yield event
            queue.extend(follow(event))


def chain(trace: Trace, fact: object, through: Callable[[Event], object], most: int = 40) -> Iterator[Event]:
    """The events that a tensor came from by first operands, nearest first, as far as `through` holds of them; the first
    that it does not hold of comes last."""
    return lineage(trace, fact, lambda event: operands(event)[:1] if through(event) else (), most)


def maker(trace: Trace, fact: object, through: Callable[[Event], object], most: int = 40) -> Event | None:
    """The event that made a tensor, those that `through` holds of aside; `None` where there is none."""
    return next((event for event in chain(trace, fact, through, most) if not through(event)), None)


def computed(trace: Trace, fact: object) -> Event | None:
    """The event that computed a tensor's values, or that had no operand to hand on; `None` where there is none."""
    return maker(trace, fact, lambda event: event.op.rstrip("_") in SAME_VALUES and operands(event))


def root(trace: Trace, fact: TensorFact, through: Callable[[Event], object], most: int = 40) -> TensorFact:
    """The tensor that another one came from by first operands, as far as `through` holds of what made it."""
    for event in chain(trace, fact, through, most):
        fact = next(iter(operands(event)), fact) if through(event) else fact
    return fact


def which(fact: TensorFact) -> int:
    """A number that tells a tensor from others: the event that made it, or its own."""
    return fact.producer if fact.producer >= 0 else -1 - fact.uid


def numbers_behind(trace: Trace, index: int, most: int) -> Iterator[HostFact]:
    """A number of the host's and those that it was computed from, each once, the last operands first."""
    queue, seen = [index], set[int]()
    while queue and len(seen) < most:
        fact = trace.host[queue.pop()]
        if fact.index not in seen:
            seen.add(fact.index)
            yield fact
            queue += fact.parents


def values_from(trace: Trace, fact: TensorFact) -> Event | None:
    """The event that made a tensor's values, operators of one value a place and of its shape aside."""
    return maker(trace, fact, lambda e: e.op.rstrip("_") in POINTWISE and result_shape(e) == fact.shape)


def result_shape(event: Event) -> tuple[int, ...] | None:
    """The shape of an event's result, if it is one tensor."""
    return event.result.shape if isinstance(event.result, TensorFact) else None


def consumers(trace: Trace, index: int) -> tuple[Event, ...]:
    """The events that read the result of event `index`."""
    return _consumers(trace).get(index, ())


@once
def _consumers(trace: Trace) -> dict[int, tuple[Event, ...]]:
    found: dict[int, list[Event]] = defaultdict(list)
    for event in trace.events:
        for index in {fact.producer for fact in operands(event)} - {-1}:
            found[index].append(event)
    return {index: tuple(users) for index, users in found.items()}


@once
def written(trace: Trace) -> dict[int, tuple[Event, ...]]:
    """By event: what was written into places of its result later, in order."""
    found: dict[int, list[Event]] = defaultdict(list)
    for event in trace.events:
        if event.op == "setitem" and (given := operands(event)) and given[0].producer >= 0:
            found[given[0].producer].append(event)
    return {index: tuple(writes) for index, writes in found.items()}


def forward(trace: Trace, event: Event, through: frozenset[str], depth: int = 12) -> Iterator[Event]:
    """Events that the result of `event` reaches by way of operators named in `through`, `event` left out."""
    queue, seen = [(event, 0)], {event.index}
    while queue:
        current, far = queue.pop(0)
        for user in consumers(trace, current.index):
            if user.index in seen:
                continue
            seen.add(user.index)
            yield user
            if far < depth and user.op.rstrip("_") in through:
                queue.append((user, far + 1))


def layer_of(trace: Trace, event: Event) -> tuple[object, ...]:
    """The same for every call of one operator by one layer, and for a call outside of layers alone."""
    layer = trace.modules.get(event.modules[-1]) if event.modules else None
    at = event.index if layer is None else None if layer.is_ready_made else event.site
    return event.op, event.modules, at


def first_layer(trace: Trace, fact: TensorFact) -> Event | None:
    """The layer that multiplies a tensor as it is with its weights."""
    reading = [event for event in trace.events if any(one.uid == fact.uid for one in operands(event))]
    for _ in range(12):
        for event in reading:
            weights = any(one.kind == "parameter" for one in operands(event))
            if weights and (event.op in LAYERS or ops.is_a(event.op, "recurrent")):
                return event
        reading = [user for event in reading if event.op in HANDED for user in consumers(trace, event.index)]
    return None


def backward(trace: Trace, fact: TensorFact, through: frozenset[str], depth: int = 12) -> Iterator[Event]:
    """Events that a tensor came from, nearest first, by way of operators named in `through`."""
    queue, seen = [(fact, 0)], set()
    while queue:
        current, far = queue.pop(0)
        event = produced(trace, current)
        if event is None or event.index in seen:
            continue
        seen.add(event.index)
        yield event
        if far < depth and event.op.rstrip("_") in through:
            queue.extend(
                (part, far + 1) for part in operands(event)[:1] if event.op in RESHAPING or event.op in POINTWISE
            )


def reduced_to_scalar(trace: Trace, event: Event) -> Event | None:
    """The event by which the result, element by element, becomes one number (`mean`, `sum`, a loss), if it does."""
    for user in forward(trace, event, POINTWISE | {"stack", "cat"}):
        if user.op in REDUCING and result_shape(user) == ():
            return user
        if user.op in TARGET_LOSSES and result_shape(user) == ():
            return user
    return None


@once
def sample_uids(trace: Trace) -> frozenset[int]:
    """Identities of axes that count samples: those of DataLoader batches and of batches that the script draws, the
    first axis (or else the second) of what an outermost model was given
    where its answer begins with an axis of that size, one number a sample that stands beside it, what such numbers
    look up, and several of these joined. Where the answer has the next axis, too, the first that a recurrent net runs
    along may be the steps of inputs that begin with steps."""
    found: set[int] = set(trace.data.drawn)
    for event in trace.events:
        for fact in operands(event):
            for axis in fact.axes:
                if axis.role == "batch":
                    found.update(uid for uid, _ in axis.uids)
    tried, run_along = _tried_parts(trace), _run_along(trace)
    for step in trace.steps:
        if step.kind != "forward" or step.data["module"] in tried:
            continue
        answers = [fact for fact in tensors(step.data["result"]) if fact.rank >= 1]
        given = [fact for fact in tensors((step.data["args"], step.data["kwargs"])) if fact.axes and answers]
        first = any(fact.rank >= 2 and fact.sizes[0] == answers[0].sizes[0] for fact in given)
        for fact in given:
            if fact.rank >= 2:
                place = next((d for d in (0, 1) if fact.sizes[d] == answers[0].sizes[0]), None)
                if place == 0 and fact.sizes[1:2] == answers[0].sizes[1:2] and fact.axes[0].uids[:1] in run_along:
                    place = None
            else:
                place = 0 if first and answers[0].rank >= 2 and fact.shape == answers[0].sizes[:1] else None
            if place is not None:
                found.update(uid for uid, _ in fact.axes[place].uids[:1] if len(fact.axes[place].uids) == 1)
    for event in trace.events:
        if (
            event.op == "getitem"
            and len(event.args) == 2
            and isinstance(event.args[1], TensorFact)
            and isinstance(event.result, TensorFact)
        ):
            index = event.args[1]
            if index.rank == 1 and index.axes and event.result.axes and counts_samples(index.axes[0], found):
                found.update(uid for uid, _ in event.result.axes[0].uids)
        elif ops.is_a(event.op, "concatenates") and isinstance(event.result, TensorFact) and event.result.axes:
            dim = argument(event, 1, "dim", 0)
            joined = [fact.axes for fact in operands(event)]
            within = isinstance(dim, int) and all(-len(axes) <= dim < len(axes) for axes in joined)
            parts = [axes[dim] for axes in joined] if within else []
            if len(parts) > 1 and all(counts_samples(axis, found) for axis in parts):
                found.update(uid for uid, _ in event.result.axes[dim].uids if len(event.result.axes[dim].uids) == 1)
    return frozenset(found)


def _run_along(trace: Trace) -> frozenset[tuple[tuple[int, int], ...]]:
    """The axes that recurrent nets run along, each by its identity."""
    return frozenset(
        axis.uids[:1]
        for event in trace.events
        if ops.is_a(event.op, "recurrent")
        for fact in operands(event)
        for place, axis in enumerate(fact.axes)
        if ops.use_of(event, fact, place) == "steps" and len(axis.uids) == 1
    )


def _tried_parts(trace: Trace) -> frozenset[int]:
    """Modules that never learn and whose like, made at the same line, is a part of another: such a part is tried by
    itself, on axes in the order in which the whole has them."""
    graded = {uid for step in trace.steps if step.kind == "backward" for uid in step.data.get("grads", ())}
    taught = {model for uid in graded & trace.parameters.keys() for model in trace.parameters[uid].models}
    inner = {(module.kind, module.site) for module in trace.modules.values() if module.path and module.site}
    return frozenset(
        uid
        for uid, module in trace.modules.items()
        if taught and uid not in taught and not module.path and (module.kind, module.site) in inner
    )


@once
def row_uids(trace: Trace) -> frozenset[int]:
    """Identities of the first axes of data that the script makes at its top level, where two tables have as many
    rows."""
    made: list[tuple[int, int]] = []
    for event in trace.events:
        fact = event.result if event.site is not None and event.site.function == "<module>" else None
        if event.modules or not isinstance(fact, TensorFact) or not fact.axes or operands(event) or event.op == "empty":
            continue
        if len(fact.axes[0].uids) == 1 and fact.axes[0].size > 1:
            made.append(fact.axes[0].uids[0])
    found = dict(made)
    return frozenset(uid for uid, size in made if sum(other == size for other in found.values()) > 1)


def counts_samples(axis: Axis, samples: AbstractSet[int]) -> bool:
    """Whether an axis is, as a whole, the sample axis."""
    return axis.role == "batch" or (bool(axis.uids) and len(axis.uids) == 1 and axis.uids[0][0] in samples)


def one_per_place(check: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """A `check` that tells of a place once, however often the fault showed there."""

    @functools.wraps(check)
    def checked(trace: Trace, *given: Any) -> Iterator[Any]:
        seen = set()
        for facts in check(trace, *given):
            if facts.site not in seen:
                seen.add(facts.site)
                yield facts

    return checked


def crossed(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether each stretches the other by one and the same size: `(n, 1)` with `(n,)`, `(n, 1)` with `(1, n)`."""
    rank = max(len(a), len(b))
    pairs = list(zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b))
    return bool({n for m, n in pairs if m == 1 and n > 1} & {m for m, n in pairs if n == 1 and m > 1})


def dim_of(event: Event, position: int = 1, default: int | None = None) -> int | None:
    """The one axis that a call names, from the end where it is negative; `None` where it names none or several."""
    dim = argument(event, position, "dim", default)
    dim = dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
    return dim if isinstance(dim, int) and not isinstance(dim, bool) else None


def shown(shape: tuple[int, ...] | None) -> str:
    """A shape as a person writes it."""
    return "()" if not shape else "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
