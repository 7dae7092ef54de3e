"""Which expressions of the user's decided the sizes that do not fit, and what each would have to come to.

Walks from each operand that disagrees back through the trace to the layers, parameters and written sizes that gave the
axis its size; a size that is joined, split or folded on the way changes what is asked of its maker.
"""

from __future__ import annotations

import ast
import dataclasses
import math
from collections.abc import Iterable, Iterator
from typing import Any

from .. import ops
from ..dataclass import dataclass
from ..graph.backwalk import came_from
from ..graph.flow import operands, tensors
from ..graph.makers import constructor_argument, result_width
from ..graph.origins import Origins
from ..graph.scopes import SEVERAL
from ..graph.sizes import size_expression
from ..graph.training import drawn_anew
from ..rules.remedy import Misfit
from ..trace import Event, Failure, ModuleFact, TensorFact, Trace
from .joined import kept
from .numbers import Written

STEPS = 40
SHORTLY = 12


@dataclass(frozen=True)
class Decider:
    """An expression that gave `now` where `wanted` would fit. `data` tells that it made the script's data rather than a
    layer, `consumer` that it sizes the layer that refused, `shared` that other objects of the same class were made by
    it too, of which nobody complained."""

    written: Written
    now: int
    wanted: int
    data: bool = False
    consumer: bool = False
    shared: bool = False


def deciders(origins: Origins, failure: Failure, misfit: Misfit) -> Iterator[Decider]:
    """For the failing call; `misfit` is the finding's."""
    for fact, axis, wanted in (
        *_indexed(failure, misfit),
        *_parted(origins.trace, failure, misfit),
        *_kept(origins, failure),
    ):
        yield from _walk(origins, fact, axis, wanted)
    for module, now, given, axis in _layers(origins, failure):
        yield from _argument(origins, module, ops.layer(module.kind).input_width, now, given.sizes[axis], True)
        if ops.is_a(ops.layer(module.kind).op, "recurrent"):
            yield from _walk(origins, given, axis % given.rank, now)
    yield from _asked(origins, failure)
    yield from _encoded(origins, failure, misfit)
    for fact, axis, wanted in conflicts(failure):
        for decider in _walk(origins, fact, axis, wanted):
            yield dataclasses.replace(decider, consumer=True) if fact.kind == "parameter" else decider


def _layers(origins: Origins, failure: Failure) -> Iterator[tuple[ModuleFact, int, TensorFact, int]]:
    """The layer that refused its input: what it takes, what it was given, and the axis that does not fit."""
    event = failure.event
    for uid in failure.modules:
        module = origins.trace.modules.get(uid)
        entry = ops.layer(module.kind) if module is not None else None
        if entry is None or not entry.takes:
            continue
        given = next(tensors(failure.module_args), None) if uid == failure.module else next(tensors(event.args), None)
        now, axis = module.config.get(entry.input_width), entry.takes[entry.input_width]
        now = now[-1] if isinstance(now, tuple) and len(now) == 1 else now
        if given is None or given.shape is None or not isinstance(now, int):
            continue
        if -given.rank <= axis < given.rank and given.shape[axis] != now:
            yield module, now, given, axis
        return


def _asked(origins: Origins, failure: Failure) -> Iterator[Decider]:
    """The sizes that a view of more or fewer elements was given, each as it would fit beside the others."""
    event = failure.event
    given = next(iter(operands(event)), None) if event is not None and ops.is_a(event.op, "views") else None
    call = origins.source.node_at(event.site, (ast.Call,)) if event is not None and given is not None else None
    asked = [*flattened(event.args[1:])] if call is not None else []
    sizes = [size for size in asked if isinstance(size, int) and size > 0]
    if not isinstance(call, ast.Call) or not event.stack or len(sizes) < 2 or len(sizes) != len(asked):
        return
    expressions = [*flattened(given.elts if isinstance(given, SEVERAL) else given for given in call.args)]
    if len(expressions) != len(sizes):
        return
    whole, have = math.prod(sizes), math.prod(given.sizes)
    same = next((at for at, pair in enumerate(zip(sizes, given.sizes)) if pair[0] != pair[1]), len(sizes))
    for expression, size in zip(expressions[same:], sizes[same:]):  # what comes before is kept as it is
        fitting, rest = divmod(size * have, whole)
        if isinstance(expression, ast.expr) and not rest and fitting > 1 and fitting != size:
            yield Decider(Written(expression, event.stack), size, fitting, consumer=True)


def flattened(given: Iterable[Any]) -> Iterator[Any]:
    """What is given one by one, or in a list."""
    for one in given:
        yield from one if isinstance(one, (tuple, list)) else (one,)


def _indexed(failure: Failure, misfit: Misfit) -> Iterator[tuple[TensorFact, int, int]]:
    """An index, or a class, beyond an axis: the axis would have to be longer."""
    event = failure.event
    given = event.args[0] if event is not None and event.args and misfit.op == event.op else None
    if isinstance(given, TensorFact) and given.shape and ops.is_a(misfit.op, "picks", "classifies"):
        axis, size, wanted = misfit.axis, misfit.size, misfit.wanted
        if isinstance(axis, int) and isinstance(size, int) and isinstance(wanted, int) and wanted > size:
            if axis < given.rank and given.shape[axis] == size:
                yield given, axis, wanted


def _encoded(origins: Origins, failure: Failure, misfit: Misfit) -> Iterator[Decider]:
    """The number of classes that an encoding of indices was given, one short of the largest index."""
    event, size, wanted = failure.event, misfit.size, misfit.wanted
    if event is None or not ops.is_a(event.op, "encodes") or not isinstance(size, int) or wanted != size + 1:
        return
    call = origins.source.node_at(event.site, (ast.Call,))
    if not isinstance(call, ast.Call) or not event.stack:
        return
    given = next((word.value for word in call.keywords if word.arg == "num_classes"), None)
    given = given if given is not None else next(iter(call.args[1:2]), None)
    if isinstance(given, ast.expr):
        yield Decider(Written(given, event.stack), size, wanted)


def _parted(trace: Trace, failure: Failure, misfit: Misfit) -> Iterator[tuple[TensorFact, int, int]]:
    """A tensor split into fewer parts than there are names: its axis would have to be as many times longer."""
    if misfit.op != "unpack" or failure.site is None or not isinstance(misfit.count, int):
        return
    for event in reversed(trace.events[-SHORTLY:]):
        if (
            ops.is_a(event.op, "parts")
            and event.site is not None
            and (event.site.file, event.site.line) == (failure.site.file, failure.site.line)
        ):
            parts = list(tensors(event.result))
            given = next(iter(operands(event)), None)
            axis = event.kwargs.get("dim", event.args[2] if len(event.args) > 2 else 0)
            if (
                parts
                and given is not None
                and given.shape
                and isinstance(axis, int)
                and event.op == "split"
                and len(parts) != misfit.count
            ):
                axis %= given.rank
                yield given, axis, parts[0].shape[axis] * misfit.count
            return


def _kept(origins: Origins, failure: Failure) -> Iterator[tuple[TensorFact, int, int]]:
    """An axis that was to be taken away by name and was kept, as it has another size than one."""
    for given, axis in kept(origins.trace, failure):
        yield given, axis, 1


def conflicts(failure: Failure) -> Iterator[tuple[TensorFact, int, int]]:
    """`(tensor, axis, the size that would fit)` for every axis at which operands disagree."""
    event = failure.event
    if event is None:
        return
    facts = [fact for fact in operands(event) if fact.shape is not None]
    op = event.op.rstrip("_")
    if ops.is_a(op, "maps", "convolves"):
        found = ops.misfit(ops.bound(event))
        if found is not None and found.axis >= 0 and found.operand == "input":
            yield facts[0], found.axis, found.expected
    elif ops.is_a(op, "matmuls") and len(facts) == 2 and min(f.rank for f in facts) >= 1:
        left, right = facts
        inner = max(right.rank - 2, 0)
        if left.shape[-1] != right.shape[inner]:
            yield right, inner, left.shape[-1]
            yield left, left.rank - 1, right.shape[inner]
    elif ops.is_a(op, "views") and facts:
        yield from _refolded(event, facts[0])
    elif op == "batch_norm" and len(facts) > 1 and facts[0].rank > 1:
        yield facts[0], 1, facts[1].shape[0]
    elif ops.is_a(op, "classifies") and len(facts) > 1 and facts[0].rank == facts[1].rank + 1:
        scores, target = facts[:2]  # the classes meet no axis of the target
        for axis in range(target.rank):
            one, other = axis + (axis > 0), scores.shape[axis + (axis > 0)]
            if other != target.shape[axis]:
                yield from ((scores, one, target.shape[axis]), (target, axis, other))
    elif ops.is_a(op, "recurrent") or op.endswith("_cell"):
        return
    else:
        joined = (
            event.kwargs.get("dim", event.args[1] if len(event.args) > 1 and isinstance(event.args[1], int) else 0)
            if ops.is_a(op, "concatenates")
            else None
        )
        for one in facts:
            for other in facts:
                if one is other or one.shape == other.shape or (joined is not None and one.rank != other.rank):
                    continue
                for back in range(1, min(one.rank, other.rank) + 1):
                    a, b, axis = one.shape[-back], other.shape[-back], one.rank - back
                    if (
                        a != b
                        and (joined is None or axis != joined % one.rank)
                        and (joined is not None or 1 not in (a, b))
                    ):
                        yield one, axis, b


def _refolded(event: Event, given: TensorFact) -> Iterator[tuple[TensorFact, int, int]]:
    """The axis of the input with which the asked shape would have as many elements."""
    asked = [
        n
        for n in (event.args[1] if len(event.args) > 1 and isinstance(event.args[1], tuple) else event.args[1:])
        if isinstance(n, int)
    ]
    if not asked or not all(given.shape):
        return
    if -1 in asked:  # the last axes are folded as they are asked for
        known, last = math.prod(n for n in asked if n != -1), given.shape[-1]
        if asked[0] == -1 and given.rank > 1 and known != last and math.prod(given.shape) % known:
            yield given, given.rank - 1, known
        return
    whole, have = math.prod(asked), math.prod(given.shape)
    for axis, size in enumerate(given.shape):
        if size > 1 and whole * size % have == 0 and whole != have:
            yield given, axis, whole * size // have


def _walk(origins: Origins, fact: TensorFact, axis: int, wanted: int) -> Iterator[Decider]:
    """From one axis back to what decided its size."""
    queue, seen = [(fact, axis, wanted)], set()
    while queue and len(seen) < STEPS:
        fact, axis, wanted = queue.pop(0)
        if (fact.uid, fact.producer, axis) in seen or not fact.shape or not 0 <= axis < len(fact.shape):
            continue
        seen.add((fact.uid, fact.producer, axis))
        now, event = fact.shape[axis], origins.maker(fact)
        if event is None or wanted < 1 or wanted == now or not now:
            continue
        step = came_from(event, fact, axis)
        if step.verdict == "makes":
            event = origins.factory(event)
            yield from _ranged(origins, event, now, wanted)
            call = origins.source.node_at(event.site, (ast.Call,))
            expression, element = size_expression(call, event, axis)
            if isinstance(expression, (ast.Tuple, ast.List)) and element is not None and element < len(expression.elts):
                expression = expression.elts[element]
            if (
                isinstance(expression, ast.expr)
                and not isinstance(expression, (ast.Tuple, ast.List))
                and expression is not call
                and event.stack
            ):
                yield Decider(
                    Written(expression, event.stack),
                    now,
                    wanted,
                    not (event.modules or _constructing(event) or (axis and drawn_anew(origins.trace, event)))
                    and ops.is_a(event.op, "makes"),
                    shared=_repeated(origins, event),
                )
            continue
        if (
            step.verdict == "sets"
            and step.factor is None
            and step.sources
            and event.op.startswith(("conv", "max_pool", "avg_pool"))
        ):
            for other, at in step.sources:  # a window slides over this axis: what it is given is longer by as much
                queue.append((other, at, other.shape[at] + wanted - now))
            continue
        if step.verdict == "sets":
            module = origins.trace.layer(event)
            if module is not None and module.is_torch:
                yield from _argument(origins, module, result_width(module), now, wanted, False)
            elif step.factor is not None:
                queue.append((*step.factor, wanted))
            continue
        if event.op == "pad":
            yield from _padded(origins, event, fact, axis, wanted - now)
        if ops.is_a(event.op, "concatenates"):
            parts = [o for o in operands(event) if o.shape and len(o.shape) == len(fact.shape)]
            queue += [(part, axis, size) for part, size in of_parts(parts, axis, now, wanted)]
            continue
        if ops.is_a(event.op, "views", "expands", "repeats"):
            call = origins.source.node_at(event.site, (ast.Call,))
            if (
                isinstance(call, ast.Call)
                and len(call.args) == len(fact.shape)
                and isinstance(call.args[axis], (ast.Name, ast.Attribute, ast.Constant, ast.BinOp))
                and event.stack
            ):
                yield Decider(Written(call.args[axis], event.stack), now, wanted)
        for other, at in step.sources:
            if other.shape and 0 <= at < len(other.shape):
                size = other.shape[at]
                if size == now:
                    queue.append((other, at, wanted))
                elif wanted * size % now == 0:
                    queue.append((other, at, wanted * size // now))


def of_parts(parts: list[TensorFact], axis: int, now: int, wanted: int) -> Iterator[tuple[TensorFact, int]]:
    """The size that would fit of each part of a joined axis: beside the others as they are, or, where all have the axis
    from one place, as they would change together."""
    whole = len(parts) > 1 and sum(part.sizes[axis] for part in parts) == now
    one = whole and len({part.axes[axis].uids if part.axes else part.uid for part in parts}) == 1
    for part in parts:
        if one and wanted % len(parts) == 0:
            yield part, wanted // len(parts)
        elif not one:
            yield part, part.sizes[axis] + wanted - now if whole else wanted


def _padded(origins: Origins, event: Event, fact: TensorFact, axis: int, more: int) -> Iterator[Decider]:
    """The amounts that a padding layer, or a call of `pad`, adds to an axis: `(left, right, top, bottom)`, the last
    axis first."""
    amounts = event.args[1] if len(event.args) > 1 and isinstance(event.args[1], tuple) else event.kwargs.get("pad")
    module = origins.trace.layer(event)
    own = module is not None and "Pad" in module.kind and module.site is not None
    call = origins.source.node_at(module.site if own else event.site, (ast.Call,))
    if not isinstance(call, ast.Call) or not isinstance(amounts, tuple):
        return
    written = call.args[0 if own else 1] if len(call.args) > (0 if own else 1) else None
    stack = module.stack if own else event.stack
    at = 2 * (fact.rank - 1 - axis)
    if isinstance(written, (ast.Tuple, ast.List)) and len(written.elts) == len(amounts) and stack:
        for place in (at, at + 1):
            if (
                place < len(amounts)
                and isinstance(amounts[place], int)
                and amounts[place] > 0
                and amounts[place] + more > 0
            ):
                yield Decider(Written(written.elts[place], stack), amounts[place], amounts[place] + more)


def _ranged(origins: Origins, event: Event, now: int, wanted: int) -> Iterator[Decider]:
    """`arange(0, dim, 2)` has as many elements as its end says."""
    call = origins.source.node_at(event.site, (ast.Call,)) if event.op == "arange" else None
    numbers = [n for n in event.args if isinstance(n, int)]
    if (
        not isinstance(call, ast.Call)
        or not event.stack
        or len(numbers) != len(event.args)
        or not 0 < len(call.args) == len(numbers) < 4
    ):
        return
    end, step = min(1, len(numbers) - 1), numbers[2] if len(numbers) == 3 else 1
    yield Decider(
        Written(call.args[end], event.stack),
        numbers[end],
        numbers[end] + (wanted - now) * step,
        shared=_repeated(origins, event),
    )


def _shared(origins: Origins, module: ModuleFact) -> bool:
    """Whether the line made a layer for several objects that ran."""
    ran = {uid for event in origins.trace.events for uid in event.modules} | {module.uid}
    alike = [other for other in origins.trace.modules.values() if other.site == module.site and other.uid in ran]
    return len({other.stack for other in alike}) > 1


def _repeated(origins: Origins, event: Event) -> bool:
    """Whether the line made such a tensor for several objects."""
    return len({other.stack for other in origins.trace.events if other.site == event.site and other.op == event.op}) > 1


def _constructing(event: Event) -> bool:
    return any(site.function == "__init__" for site in event.stack)


def _argument(
    origins: Origins, module: ModuleFact, name: str, now: int, wanted: int, consumer: bool
) -> Iterator[Decider]:
    """The argument of a layer's constructor that set its width."""
    own = module.config.get(name)
    own = own[-1] if isinstance(own, tuple) and own else own
    call = origins.source.node_at(module.site, (ast.Call,)) if module.site is not None else None
    if call is None or not isinstance(own, int) or not own or wanted * own % now or not module.stack:
        return
    expression = constructor_argument(call, name, module)
    if isinstance(expression, ast.expr) and not isinstance(expression, (ast.Tuple, ast.List)):
        yield Decider(
            Written(expression, module.stack),
            own,
            wanted * own // now,
            consumer=consumer,
            shared=_shared(origins, module),
        )
