"""As many samples come out as go in, and no layer takes samples for features."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from ... import ops
from ...graph.crossings import crossing
from ...graph.flow import (
    ELEMENTWISE,
    REGRESSION_LOSSES,
    consumers,
    counts_samples,
    crossed,
    operands,
    produced,
    row_uids,
    sample_uids,
    tensors,
)
from ...graph.training import descendants
from ...graph.views import unmerged
from ...rules.remedy import Misfit
from ...trace import Event, TensorFact, Trace
from .change import Change

TEXTS = {
    "merged": {
        "en": "{op} treats the sample axis, of size {count}, as features",
        "es": "{op} trata el eje de las muestras, de tamaño {count}, como características",
        "ja": "{op} が、サイズ {count} のサンプルの軸を特徴として扱います",
    },
    "crossed": {
        "en": "in {op}, {count} samples are combined into {count} × {count} pairs",
        "es": "en {op}, {count} muestras se combinan en {count} × {count} pares",
        "ja": "{op} で {count} サンプルが {count} × {count} 組に組み合わされます",
    },
    "crossing": {
        "en": "{op} combines the sample axis of one operand ({count} samples) with a different axis of the other "
        "operand",
        "es": "{op} combina el eje de muestras de un operando ({count} muestras) con otro eje del otro operando",
        "ja": "{op} で、片方のオペランドのサンプルの軸 ({count} サンプル) が、もう一方の別の軸と組み合わされます",
    },
    "folded": {
        "en": "the outputs {old} of each sample are flattened and read as {count} classes",
        "es": "las salidas {old} de cada muestra se aplanan y se leen como {count} clases",
        "ja": "各サンプルの出力 {old} が平坦化され、{count} クラスとして読まれます",
    },
    "torn": {
        "en": (
            "with this change, {op} on line {line} no longer splits the values at the sample boundaries: a row of its "
            "result contains values of several samples"
        ),
        "es": (
            "con este cambio, {op} en la línea {line} ya no divide los valores en los límites entre muestras: una "
            "fila de su resultado contiene valores de varias muestras"
        ),
        "ja": "この変更では、{line} 行目の {op} がサンプルの境目とは違うところで値を区切り、結果のテンソルの 1 行に"
        "複数のサンプルの値が入ります",
    },
    "fewer": {
        "en": "an operation gets {count} samples, but its result has {made}",
        "es": "una operación recibe {count} muestras, pero su resultado tiene {made}",
        "ja": "演算の入力は {count} サンプルですが、結果は {made} サンプルになります",
    },
}
BINARY = ops.named("binary")
NEAR = 24  # calls after an edited one that are looked at


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the axes that linear layers contract, by the outputs of models, by the operands of losses."""
    known, rows = sample_uids(change.before), change.samples | row_uids(change.after)
    had = {(f, n) for f, n, _ in _contracted(change.before, known | row_uids(change.before))}
    for function, size, event in _contracted(change.after, rows):
        # of the author's own lines it says only that one sample was drawn alone
        if (function, size) not in had and change.decided(event) and not _vector(change, event):
            yield "merged", {"count": size, "op": "linear"}
    had_pairs = {
        (event.op, event.site.function) for event in change.before.events if event.site and _paired(event, known)
    }
    for event in change.after.events:
        given = operands(event)
        if event.op == "gather" and len(given) == 2 and given[0].rank == given[1].rank:
            dim = ops.bound(event).get("dim")
            for at, (axis, read) in enumerate(zip(given[0].axes, given[1].shape or ())):
                left = at != dim and at - given[0].rank != dim and read < axis.size
                if left and (change.is_samples(axis) or any(uid in rows for uid, _ in axis.uids[:1])):
                    yield "fewer", {"count": axis.size, "made": read}
        if event.op in REGRESSION_LOSSES | BINARY:
            for fact in given[:2]:
                counted = [axis for axis in fact.axes if axis.size > 1 and change.is_samples(axis)]
                if len(counted) > 1 and not change.sizes_alone and _own(change, event):
                    yield "crossed", {"count": counted[0].size, "op": event.op}
        if event.op in ELEMENTWISE and event.site is not None and change.wrote(event.site):
            pair = [_led(fact) for fact in given if fact.rank >= 1 and len(fact.axes) == fact.rank][:2]
            places = crossing(*pair, change.samples) if len(pair) == 2 else None
            if places is not None:
                yield "crossing", {"op": event.op, "count": pair[0].axes[-places[0]].size}
        author = change.sizes_alone or change.thin or _laid_out(change, event)
        paired = _paired(event, change.samples) if not author else None
        if paired is not None and (event.op, event.site.function if event.site is not None else "") not in had_pairs:
            yield "crossed", {"count": paired, "op": event.op}
        if ops.is_a(event.op, "classifies") and {"flatten", "reshape", "view"} & set(change.added):
            axis = given[0].axes[1] if given and len(given[0].axes) == 2 else None
            if axis is not None and len([size for _, size in axis.uids if size > 1]) > 1 and not change.declared:
                yield "folded", {"old": " × ".join(str(size) for _, size in axis.uids), "count": axis.size}
        if not change.thin and event.op in ELEMENTWISE and (count := _stretched(change, given)):
            yield "crossed", {"count": count, "op": event.op}
    had_compared = {site for site, _, _ in _compared(change.before, known)}
    for site, size, event in _compared(change.after, change.samples) if not change.sizes_alone else ():
        if site not in had_compared:
            yield "merged", {"count": size, "op": event.op}
    yield from _fewer(change)
    yield from _joined(change)
    yield from _carried(change)
    # what a script did before it was refused something may be the fault that the refusal came of
    known = () if change.finding.is_loud else _torn(change.before, sample_uids(change.before))
    had_torn = {event.site for event, _ in known}
    for event, _ in _torn(change.after, change.samples):
        if event.site not in had_torn and event.site is not None:
            yield "torn", {"op": event.op, "line": event.site.line}


def _joined(change: Change) -> Iterator[tuple[str, dict]]:
    """An edit merges the samples with another axis, and the result meets an axis of samples alone."""
    for event in change.events():
        made = event.result if ops.is_a(event.op, "views", "flattens") else None
        axes = made.axes if isinstance(made, TensorFact) else ()
        merged = any(len([size for _, size in axis.uids if size > 1]) > 1 for axis in axes)
        for user in consumers(change.after, event.index) if merged else ():
            for axis in (axis for fact in operands(user) for axis in fact.axes[:1] if axis.size > 1):
                if ops.is_a(user.op, "joins", "elementwise") and len(axis.uids) == 1 and change.is_samples(axis):
                    yield "crossing", {"op": user.op, "count": axis.size}


def _carried(change: Change) -> Iterator[tuple[str, dict]]:
    """What an edit gave an axis of size one meets fewer axes further on, and each side is repeated along the other."""
    for event in change.events() if not change.thin else ():
        made = event.result if ops.is_a(event.op, "unsqueezes") else None
        for later in descendants(change.after, [made], NEAR).values() if isinstance(made, TensorFact) else ():
            sides = operands(later)[:2] if later.op in ELEMENTWISE else []
            if len(sides) == 2 and sides[0].rank != sides[1].rank and crossed(sides[0].sizes, sides[1].sizes):
                yield "crossed", {"op": later.op, "count": min(sides, key=lambda side: side.rank).sizes[-1]}


def _paired(event: Event, samples: frozenset[int]) -> int | None:
    """How many samples an elementwise operator holds against each other, where neither side held them so."""
    made = event.result
    if event.op not in ELEMENTWISE or not isinstance(made, TensorFact):
        return None
    for fact, twice in ((made, True), *((side, False) for side in operands(event))):
        seen = [axis.uids for axis in fact.axes if axis.size > 1 and counts_samples(axis, samples)]
        if (len(set(seen)) < len(seen)) != twice:
            return None
    return next(axis.size for axis in made.axes if axis.size > 1 and counts_samples(axis, samples))


def _laid_out(change: Change, event: Event) -> bool:
    """Whether the author gave both sides as many axes, none of it on a line that the edits wrote, or gave one of them a
    new axis in that very statement: all against all."""
    sides = operands(event)[:2]
    makers = [produced(change.after, side) for side in sides]
    sites = [event.site, *(maker.site if maker is not None else None for maker in makers)]
    alike = len(sides) == 2 and sides[0].rank == sides[1].rank
    own = any(_put_in(event, maker, side) for side, maker in zip(sides, makers))
    at = [event.site] if own else sites
    return (alike or own) and not any(map(change.wrote, at))


def _put_in(event: Event, maker: Event | None, side: TensorFact) -> bool:
    """Whether a side was given a new axis in the statement that holds it against the other one."""
    if maker is None or maker.site is None or event.site is None or maker.site.line != event.site.line:
        return False
    return ops.is_a(maker.op, "unsqueezes", "brackets") and all(fact.rank < side.rank for fact in operands(maker))


def _stretched(change: Change, given: list[TensorFact]) -> int:
    """The size by which two operands stretch each other, of which one has an axis that the edits put in; else 0."""
    if len(given) < 2 or not crossed(given[0].sizes, given[1].sizes):
        return 0
    for one, other in (given[:2], given[1::-1]):
        for at, axis in enumerate(one.axes[::-1]):
            site = axis.origin.site if axis.size == 1 and axis.origin is not None else None
            if change.wrote(site):
                return other.sizes[-1 - at] if at < other.rank else 0
    return 0


def _vector(change: Change, event: Event) -> bool:
    """Whether a layer reads a vector that was never anything else, and was written for more than one number: that two
    vectors are of one size makes no tables of them."""
    given, misfit = operands(event)[0], change.finding.facts.remedy
    if given.rank != 1 or change.is_samples(given.axes[0]) or not isinstance(misfit, Misfit) or misfit.wanted == 1:
        return False
    born = [e.result for e in change.after.events if not operands(e) and isinstance(e.result, TensorFact)]
    return any(fact.rank == 1 and fact.axes[0].uids == given.axes[0].uids for fact in born if fact.axes)


def _contracted(trace: Trace, rows: frozenset[int]) -> Iterator[tuple[str, int, Event]]:
    """The function, the size and the call of every contraction of an axis of rows by a linear layer."""
    for event in trace.events:
        given = operands(event)
        if event.op == "linear" and given and given[0].axes:
            axis = given[0].axes[-1]
            if axis.size > 1 and len(axis.uids) == 1 and axis.uids[0][0] in rows:
                yield event.site.function if event.site is not None else "", axis.size, event


def _compared(trace: Trace, samples: frozenset[int]) -> Iterator[tuple[str, int, Event]]:
    """The function, the size and the call of every distance between pairs that is taken along the samples of one side,
    or of sides whose samples stand at different places."""
    for event in trace.events:
        dim = ops.bound(event).get("dim", -1) if ops.is_a(event.op, "measures_pairs") else None
        sides = operands(event)[:2] if isinstance(dim, int) else []
        for fact in sides:
            axis = fact.axes[dim] if -len(fact.axes) <= dim < len(fact.axes) and fact.rank > 1 else None
            if axis is not None and axis.size > 1 and counts_samples(axis, samples):
                yield _function(event), axis.size, event
        places = [_counting(fact, samples) for fact in sides]
        if len(places) == 2 and all(places) and not places[0] & places[1]:
            yield _function(event), sides[0].sizes[min(places[0])], event


def _counting(fact: TensorFact, samples: frozenset[int]) -> set[int]:
    """The axes of a tensor that count samples, from the last one on."""
    found = (at - len(fact.axes) for at, axis in enumerate(fact.axes) if axis.size > 1)
    return {at for at in found if counts_samples(fact.axes[at], samples)}


def _function(event: Event) -> str:
    return event.site.function if event.site is not None else ""


def _torn(trace: Trace, samples: frozenset[int]) -> Iterator[tuple[Event, int]]:
    """The views that keep neither a sample axis nor its bounds, with its size; also one that is merged with others."""
    for event in trace.events:
        given, made = next(iter(operands(event)), None), event.result
        if not ops.is_a(event.op, "views") or given is None or not isinstance(made, TensorFact) or not made.axes:
            continue
        kept = {uid for axis in made.axes for uid, _ in axis.uids}
        bounds = {math.prod(made.sizes[at:]) for at in range(made.rank + 1)}
        for whole in (given, *unmerged(given)):
            for at, axis in enumerate(whole.axes):
                of_samples = counts_samples(axis, samples) or (at == 1 and _is_state(trace, whole))
                if axis.size < 2 or not of_samples or any(uid in kept for uid, _ in axis.uids):
                    continue
                behind = math.prod(whole.sizes[at + 1 :])
                if not {behind, behind * axis.size} <= bounds:
                    yield event, axis.size


def _is_state(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is the final state of a recurrent layer, `(layers, samples, features)`."""
    event = produced(trace, fact)
    if event is None or fact.rank != 3 or not ops.is_a(event.op, "recurrent"):
        return False
    return fact.uid in [state.uid for state in list(tensors(event.result))[-2 if event.op == "lstm" else -1 :]]


def _led(fact: TensorFact) -> TensorFact:
    """A tensor without leading axes of size one, which broadcasting puts in front anyway."""
    lead = next((at for at, axis in enumerate(fact.axes) if axis.size > 1), len(fact.axes))
    return dataclasses.replace(fact, shape=fact.sizes[lead:], axes=fact.axes[lead:]) if lead else fact


def _own(change: Change, event: Event) -> bool:
    """Whether the loss did not have such operands before."""
    was = [
        e
        for e in change.before.events
        if e.op == event.op and e.site is not None and event.site is not None and e.site.function == event.site.function
    ]
    return not any(len({axis.uids for axis in fact.axes}) < fact.rank for e in was for fact in operands(e)[:2])


def _fewer(change: Change) -> Iterator[tuple[str, dict]]:
    """A model's output without the sample axis of its input, where the run that showed the fault had none such."""
    known = {step.site for step in change.before.steps if step.kind == "forward"}
    for step in change.after.steps:
        if step.kind != "forward" or step.site in known or not step.data["training"]:
            continue
        given = next((fact for fact in tensors((step.data["args"], step.data["kwargs"])) if fact.axes), None)
        made = [fact for fact in tensors(step.data["result"]) if fact.axes]
        rows = [
            axis for axis in (given.axes[:2] if given is not None else ()) if axis.role == "batch" and axis.size > 1
        ]
        if not rows or not made or any(axis.role == "batch" for fact in made for axis in fact.axes):
            continue
        sizes = {axis.size for fact in made for axis in fact.axes}
        if rows[0].size not in sizes and not any(size % rows[0].size == 0 for size in sizes):
            yield "fewer", {"count": rows[0].size, "made": made[0].axes[0].size if made[0].axes else 1}
