"""No element is cropped, dropped, repeated or averaged away to make sizes agree."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import REGRESSION_LOSSES, TARGET_LOSSES, consumers, operands, produced, shown, tensors
from ...graph.training import ancestors
from ...ops.indexing import is_slice
from ...trace import Event, TensorFact, Trace
from .change import Change

TEXTS = {
    "dropped": {
        "en": "{old} becomes {new}: of {all} values, {lost} are dropped or merged with other values",
        "es": "{old} pasa a {new}: de {all} valores, {lost} se descartan o se combinan con otros",
        "ja": "{old} が {new} になり、{all} 個のうち {lost} 個の値が捨てられるか、ほかの値とまとめられます",
    },
    "repeated": {
        "en": "{old} becomes {new}: values are repeated or added, for example by padding",
        "es": "{old} pasa a {new}: se repiten o se añaden valores, por ejemplo con relleno",
        "ja": "{old} が {new} になり、値が繰り返されるか、パディングなどで追加されます",
    },
    "reduced": {
        "en": "{old} becomes one number: the script does not show over which axes to sum and over which to average",
        "es": "{old} pasa a un solo número: el script no muestra sobre qué ejes sumar y sobre cuáles promediar",
        "ja": "{old} が 1 つの数値になります。どの軸で合計しどの軸で平均するかはスクリプトからわかりません",
    },
    "idle-axes": {
        "en": "both operands of {op} then have size 1 on the same axis: the added axes have no effect",
        "es": "ambos operandos de {op} tienen entonces tamaño 1 en el mismo eje: los ejes añadidos no tienen efecto",
        "ja": "{op} の両方のオペランドが同じ軸でサイズ 1 になり、追加した軸に効果がなくなります",
    },
    "never": {
        "en": "with this change, {op} compares integers with a value that may not be an integer",
        "es": "con este cambio, {op} compara enteros con un valor que puede no ser entero",
        "ja": "{op} で、整数が、整数とは限らない値と比べられることになります",
    },
    "fractions": {
        "en": "with this change, {op} computes with integers: the fractional part of every value is lost",
        "es": "con este cambio, {op} calcula con enteros: se pierde la parte fraccionaria de cada valor",
        "ja": "{op} が整数で計算することになり、各値の小数部分が失われます",
    },
}
EQUALS = ops.named("equates")
MEETS = ops.named("joins", "contracts", "embeds", "points", "chooses")
MAKES = ops.named("sized", "counts_up", "takes_data", "makes_alike")
CONSTANT = MAKES - ops.named("draws", "takes_data") | ops.named("fills_constant", "triangles", "keeps_values", "masks")
PAIRED = REGRESSION_LOSSES | ops.named("binary")
LOSSES = PAIRED | TARGET_LOSSES | ops.named("divergences")
CONSTANT |= ops.named("compares", "logical", "brackets", "logarithms", "multiplies")


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By what the added operators made of what they were given, and by what the call that failed makes now."""
    yield from _met(change)
    yield from _uneven(change)
    yield from _whole(change)
    yield from _averaged(change)
    yield from _still_one(change)
    for event in change.events() if not change.declared else ():
        given, made = next(iter(operands(event)), None), next(tensors(event.result), None)
        if _alone(change, event):
            yield "repeated", {"old": "()", "new": shown(made.sizes), "all": 1, "lost": 0}
        loss = ops.is_a(event.op, "totals") and made is not None and not made.shape  # one number, for backward
        long = [axis for axis in given.axes if axis.size > 1] if loss else []
        beside = len(long) > 1 or any(not change.is_samples(axis) for axis in long)
        again = bool(long) and (_weighted(change, given) or _summed(change, given))
        if (beside and not _of_losses(change, given)) or again:
            yield "reduced", {"old": shown(given.sizes)}
        if loss or event.op in MEETS | MAKES or given is None or made is None or not given.shape or made.shape is None:
            continue
        if (
            given.is_held
            or _constant(change, given)
            or _picked_alike(change, event)
            or _cut_at_both_ends(change, event)
        ):
            continue  # a part of a table or of a mask, no sample's values; the rows, or the next steps, of another side
        if event.op == "pad_sequence":
            continue  # the candidate itself says whether the script tells padding from data
        if change.joint and ops.is_a(event.op, "totals"):
            continue  # the logarithms of densities, whose sum is that of all
        if event.args[1:] == (-1,) and _of_layers(change, given):
            continue  # the state of the last layer, which has read those of the others
        parts = list(tensors(event.result)) if ops.is_a(event.op, "parts", "splits") else [made]
        old, new = math.prod(given.shape), sum(math.prod(part.sizes) for part in parts)
        fields = {"old": shown(given.shape), "new": shown(made.shape), "all": old, "lost": old - new}
        if new < old and not event.op.startswith(("conv", "item")) and not _layer(event):
            yield "dropped", fields
        elif new > old and not _layer(event):
            yield "repeated", fields


def _met(change: Change) -> Iterator[tuple[str, dict]]:
    """Both sides of the elementwise call that failed are repeated now: each value of one meets many of the other."""
    failed = change.before.failure.event if change.before.failure is not None else None
    if failed is None or failed.site is None or not ops.is_a(failed.op, "elementwise") or change.thin:
        return
    paired = all(_put_in(change.before, fact) for fact in operands(failed)[:2])  # by the author: all against all
    for event in change.at(failed):
        made, sides = next(tensors(event.result), None), [fact for fact in operands(event) if fact.shape]
        if paired and len(sides) > 1 and _put_in(change.after, sides[0]) & _put_in(change.after, sides[1]):
            yield "idle-axes", {"op": event.op}
        if paired or made is None or len(sides) < 2 or any(_constant(change, fact) or fact.is_held for fact in sides):
            continue
        largest = max(sides, key=lambda fact: math.prod(fact.sizes))
        if math.prod(made.sizes) > math.prod(largest.sizes):
            yield "repeated", _grown(largest, made)
        small = min(sides, key=lambda fact: math.prod(fact.sizes))
        taken = any(fact.shape == small.sizes[:-1] for fact in operands(failed))
        last = small.axes[-1] if small.axes and taken else None
        of_layer = last is not None and last.size == 1 and last.origin is not None and last.origin.kind == "constructor"
        if of_layer and made.sizes[-1] > 1:  # one number a sample, which the author took for a plain one
            yield "repeated", _grown(small, made)


def _put_in(trace: Trace, fact: TensorFact) -> set[int]:
    """The places, from the last axis on, of the axes of size one that the call put in which made a tensor."""
    maker = produced(trace, fact)
    given = next(iter(operands(maker)), None) if maker is not None else None
    if given is None or given.rank >= fact.rank or not ops.is_a(maker.op, "unsqueezes", "brackets"):
        return set()
    known = {uid for axis in given.axes for uid, _ in axis.uids}
    new = (at for at, axis in enumerate(fact.axes) if not known & {uid for uid, _ in axis.uids})
    return {fact.rank - at for at in new if fact.sizes[at] == 1}


def _uneven(change: Change) -> Iterator[tuple[str, dict]]:
    """A loss of pairs repeats one of its sides now, which it did not before; or samples are repeated along an axis
    that an edit put in front of them."""
    had = {_place(event) for event in change.before.events if _unequal(event)}
    for event in change.after.events:
        if _unequal(event) and _place(event) not in had:
            yield "repeated", _grown(*operands(event)[:2])
    failed = change.before.failure.event if change.before.failure is not None else None
    for event in change.at(failed) if failed is not None and ops.is_a(failed.op, "elementwise") else ():
        sides = sorted((fact for fact in operands(event) if fact.shape), key=lambda fact: fact.rank)
        turned = produced(change.after, sides[1]) if len(sides) == 2 and sides[0].rank < sides[1].rank else None
        if turned is None or not ops.is_a(turned.op, "turns") or turned.site is None:
            continue
        met = (*sides[0].axes, *sides[1].axes[-1:])  # what a vector is held against tells what it counts
        if change.wrote(turned.site) and sides[1].sizes[0] > 1 and any(change.is_samples(axis) for axis in met):
            yield "repeated", _grown(*sides)


def _whole(change: Change) -> Iterator[tuple[str, dict]]:
    """An edit makes integers of floats, and they are computed with: no index, no class, nothing that is compared."""
    for event in change.events():
        given = next(iter(operands(event)), None)
        if given is None or not given.dtype.startswith(("float", "bfloat")) or not isinstance(event.result, TensorFact):
            continue
        if event.result.dtype.startswith(("int", "uint")) and ops.is_a(event.op, "casts", "casts_int"):
            for user in consumers(change.after, event.index):
                if ops.is_a(user.op, "elementwise") and not ops.is_a(user.op, "compares"):
                    yield "fractions", {"op": user.op}


def _averaged(change: Change) -> Iterator[tuple[str, dict]]:
    """Whole numbers are asked whether they equal an average, on a line that an edit wrote."""
    for event in change.after.events:
        sides = operands(event) if event.op in EQUALS else []
        if any(side.is_whole for side in sides) and change.wrote(event.site):
            made = [produced(change.after, side) for side in sides if not side.is_whole]
            read = any(isinstance(given, float) and not given.is_integer() for given in event.args)
            if read or any(maker is not None and ops.is_a(maker.op, "averages") for maker in made):
                yield "never", {"op": event.op}


def _still_one(change: Change) -> Iterator[tuple[str, dict]]:
    """A call was refused as several values had become one number, and they still become one."""
    failed = change.before.failure.event if change.before.failure is not None else None
    axes = failed is not None and ops.is_a(failed.op, "unsqueezes", "turns", "totals", "competes")
    given = next(iter(operands(failed)), None) if failed is not None and axes else None
    past = ancestors(change.before, given, 8) if given is not None and given.shape == () else {}
    for _, made in sorted(past.items(), reverse=True):
        several = next((fact for fact in operands(made) if math.prod(fact.sizes) > 1), None)
        if several is not None and getattr(made.result, "shape", None) == ():
            if any(getattr(event.result, "shape", None) == () for event in change.at(made)):
                yield "reduced", {"old": shown(several.sizes)}
            return


def _unequal(event: Event) -> bool:
    """Whether a loss that compares its operands value by value was given more of one than of the other."""
    sides = [fact for fact in operands(event)[:2] if fact.shape] if event.op in PAIRED else []
    return len(sides) == 2 and len({math.prod(fact.sizes) for fact in sides}) > 1


def _place(event: Event) -> tuple[str, str]:
    return event.op, event.site.function if event.site is not None else ""


def _grown(one: TensorFact, other: TensorFact) -> dict[str, str | int]:
    """The smaller side, and what it is repeated to."""
    small, large = sorted((one, other), key=lambda fact: math.prod(fact.sizes))
    old, new = math.prod(small.sizes), math.prod(large.sizes)
    return {"old": shown(small.sizes), "new": shown(large.sizes), "all": old, "lost": old - new}


def _picked_alike(change: Change, event: Event) -> bool:
    """Whether rows are picked by an index, or within bounds, by which those of another tensor are picked, too."""
    index = event.args[1] if len(event.args) == 2 and ops.is_a(event.op, "brackets") else None
    picks = (e.args for e in change.after.events if ops.is_a(e.op, "brackets") and len(e.args) == 2)
    return isinstance(index, TensorFact) and any(
        isinstance(by, TensorFact) and (by.uid, by.value) == (index.uid, index.value) and of.uid != event.args[0].uid
        for of, by in picks
        if of.sizes[:1] == event.args[0].sizes[:1]
    )


def _cut_at_both_ends(change: Change, event: Event) -> bool:
    """Whether a sequence of whole numbers loses its first step here, and its last one where another line reads it: what
    each step is to be compared with."""
    ends = {_end_cut(one) for one in change.after.events if _end_cut(one) is not None and _of(one) == _of(event)}
    return _end_cut(event) is not None and len({at for at, _ in ends}) == 1 and len(ends) == 2


def _end_cut(event: Event) -> tuple[int, bool] | None:
    """The axis of whole numbers of which one step is cut off, and whether it is the first; `None` for all else."""
    index = event.args[1] if len(event.args) == 2 and ops.is_a(event.op, "brackets") and _of(event) is not None else ()
    cuts = [part.value if is_slice(part) else 0 for part in _entries(index)]
    found = [(at, cut == (1, None, None)) for at, cut in enumerate(cuts) if cut in ((1, None, None), (None, -1, None))]
    whole = all(cut == (None, None, None) for cut in cuts[:-1])
    return found[0] if whole and len(found) == 1 and found[0][0] == len(cuts) - 1 > 0 else None


def _entries(index: object) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def _of(event: Event) -> int | None:
    """The whole numbers that an event reads a part of."""
    given = next(iter(operands(event)), None)
    return given.uid if given is not None and given.is_whole else None


def _alone(change: Change, event: Event) -> bool:
    """Whether an edit gives an axis to the one value that a reduction left of several: it would stand for all of
    them."""
    given, made = next(iter(operands(event)), None), next(tensors(event.result), None)
    if given is None or given.shape != () or made is None or not made.shape:
        return False
    maker = produced(change.after, given)
    return maker is not None and any(math.prod(fact.sizes) > 1 for fact in operands(maker))


def _of_losses(change: Change, fact: TensorFact) -> bool:
    """Whether a value is that of a loss function that was told not to reduce it: those average."""
    made = ancestors(change.after, fact, 8).values()
    return any(event.op in LOSSES and getattr(event.result, "sizes", ()) == fact.sizes for event in made)


def _weighted(change: Change, fact: TensorFact) -> bool:
    """Whether values are weighted one by one: weights that come to one are summed, others averaged."""
    made = [e for e in ancestors(change.after, fact, 8).values() if ops.is_a(e.op, "multiplies")]
    alike = [[side for side in operands(event) if side.sizes == fact.sizes and not side.is_held] for event in made]
    return any(len({side.uid for side in sides}) > 1 for sides in alike)


def _summed(change: Change, fact: TensorFact) -> bool:
    """Whether one number that was summed up of what learns is combined with several: where another sum is missing is
    open."""
    made = ancestors(change.after, fact, 24).values()
    sides = [side for event in made if ops.is_a(event.op, "elementwise") for side in operands(event)]
    totals = [produced(change.after, side) for side in sides if side.shape == () and side.requires_grad]
    return any(event is not None and _sums(change, event) for event in totals)


def _sums(change: Change, event: Event) -> bool:
    """Whether a value is the sum of several, but for its sign and scale."""
    while ops.is_a(event.op, "pointwise") and operands(event):
        before = produced(change.after, operands(event)[0])
        if before is None:
            return False
        event = before
    return ops.is_a(event.op, "totals") and any(math.prod(fact.sizes) > 1 for fact in operands(event))


def _of_layers(change: Change, fact: TensorFact) -> bool:
    """Whether the first axis of a state counts the layers of a net that reads in one direction."""
    event = produced(change.after, fact)
    if event is None or not ops.is_a(event.op, "recurrent") or fact.rank != 3:
        return False
    nets = [module for uid in event.modules if (module := change.after.modules.get(uid)) is not None]
    return bool(nets) and not nets[-1].config.get("bidirectional") and next(tensors(event.result)).uid != fact.uid


def _constant(change: Change, fact: TensorFact) -> bool:
    """Whether a tensor was made of nothing but numbers that the script wrote, as a mask is."""
    made = ancestors(change.after, fact, 12).values()
    return bool(made) and all(event.op.rstrip("_") in CONSTANT for event in made) and not fact.requires_grad


def _layer(event) -> bool:
    """Whether a layer with parameters made it."""
    return any(fact.kind == "parameter" for fact in operands(event))
