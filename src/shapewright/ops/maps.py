"""Axis maps that no pattern can say: those that depend on the values of arguments. Each is shared by a family of
operators."""

from __future__ import annotations

import math
from typing import Any

from .call import Bound, uses
from .places import Layout, Place, Tensor, kept, new
from .shapes import Shape

SUMMED = frozenset({"inner", "contracted", "features"})  # uses of what a product sums over


def _result(call: Bound) -> Tensor | None:
    """The result, the first tensor of several."""
    value = call.result
    while isinstance(value, (tuple, list)) and value and not call.is_tensor(value):
        value = value[0]
    return value if value is not None and call.is_tensor(value) else None


def _every(call: Bound, made: Layout) -> Layout:
    """The same layout for each of several results."""
    return made if call.is_tensor(call.result) else tuple(made for _ in call.result)


def same(call: Bound) -> Layout | None:
    """The axes of the first operand."""
    first = next((tensor for _, tensor in call.tensors()), None)
    return tuple(kept((first, axis)) for axis in range(len(call.shape(first)))) if first is not None else None


def broadcast(call: Bound) -> Layout | None:
    """Operands aligned from the right; each place comes from those that have the result's size there."""
    result = _result(call)
    if result is None:
        return None
    shape, operands = call.shape(result), [(tensor, call.shape(tensor)) for _, tensor in call.tensors()]
    return tuple(
        kept(*((t, len(s) - back) for t, s in operands if len(s) >= back and s[-back] == shape[-back]))
        for back in range(len(shape), 0, -1)
    )


def reduced(call: Bound) -> Layout | None:
    """Axes that the call names go, or shrink to one."""
    first, result = call.first, _result(call)
    if result is None or not call.is_tensor(first):
        return None
    rank, left = len(call.shape(first)), len(call.shape(result))
    gone = call.dims(rank)
    if gone is None or (len(gone) == rank and rank > 1 and 0 < left < rank):
        return None
    if left == rank:
        made = tuple(new("keepdim") if axis in gone else kept((first, axis)) for axis in range(rank))
    else:
        made = tuple(kept((first, axis)) for axis in range(rank) if axis not in gone)
    return _every(call, made)


def extreme(call: Bound) -> Layout | None:
    """`max` and `min`: with a second tensor element by element, else a reduction."""
    others = [tensor for _, tensor in call.tensors()]
    return broadcast(call) if len(others) > 1 else reduced(call)


def resized(call: Bound) -> Layout | None:
    """Axes whose size changed keep their meaning and lose their identity."""
    first, result = call.first, _result(call)
    if result is None or not call.is_tensor(first):
        return None
    own, shape = call.shape(first), call.shape(result)
    if len(own) != len(shape):
        return None
    made = tuple(
        kept((first, axis)) if a == n else Place("resized", ((first, axis),))
        for axis, (a, n) in enumerate(zip(own, shape))
    )
    return _every(call, made)


def ranked(call: Bound) -> Layout | None:
    """`topk` and sorts: another order or number along one axis."""
    first, result = call.first, _result(call)
    if result is None or not call.is_tensor(first):
        return None
    pairs = enumerate(zip(call.shape(first), call.shape(result)))
    made = tuple(kept((first, d)) if a == n else Place("taken", ((first, d),)) for d, (a, n) in pairs)
    return _every(call, made)


def folded(call: Bound) -> Layout | None:
    """Axes dealt out anew in memory order."""
    first, result = call.first, _result(call)
    if result is None or not call.is_tensor(first):
        return None
    old, shape = call.shape(first), call.shape(result)
    made, before = [], 1
    for size in shape:
        whole = next((i for i, n in enumerate(old) if n == size and math.prod(old[:i]) == before), None)
        if whole is not None:
            made.append(Place("folded", ((first, whole),), key=True))
        else:
            inside = [
                (first, i)
                for i, n in enumerate(old)
                if math.prod(old[:i]) >= before and math.prod(old[: i + 1]) <= before * size and n > 1
            ]
            made.append(Place("folded", tuple(inside), key=False))
        before *= size
    return tuple(made)


def permuted(call: Bound) -> Layout | None:
    """Axes in the asked order."""
    first, order = call.first, call.numbers("dims")
    rank = len(call.shape(first))
    return tuple(kept((first, d % rank)) for d in order) if order is not None and len(order) == rank else None


def transposed(call: Bound) -> Layout | None:
    """Two axes change places: those that are named, else the last two."""
    first = call.first
    rank = len(call.shape(first))
    a, b = call.number("dim0", -2), call.number("dim1", -1)
    if a is None or b is None or rank == 0:
        return None
    order = list(range(rank))
    if rank > 1:
        order[a], order[b] = order[b], order[a]
    return tuple(kept((first, d)) for d in order)


def reversed_axes(call: Bound) -> Layout:
    """All axes in the opposite order."""
    return tuple(kept((call.first, d)) for d in reversed(range(len(call.shape(call.first)))))


def moved(call: Bound) -> Layout | None:
    """`movedim`: some axes to other places, the rest in their order."""
    rank = len(call.shape(call.first))
    source, target = call.numbers("source"), call.numbers("destination")
    if source is None or target is None:
        return None
    source, target = tuple(d % rank for d in source), tuple(d % rank for d in target)
    rest = iter(d for d in range(rank) if d not in source)
    placed = dict(zip(target, source))
    return tuple(kept((call.first, placed[d] if d in placed else next(rest))) for d in range(rank))


def unsqueezed(call: Bound) -> Layout | None:
    """A new axis of size one."""
    rank, at = len(call.shape(call.first)), call.number("dim")
    if at is None:
        return None
    made = [kept((call.first, d)) for d in range(rank)]
    made.insert(at % (rank + 1), new("unsqueeze"))
    return tuple(made)


def squeezed(call: Bound) -> Layout | None:
    """Axes of size one go: those that are named, else all."""
    shape = call.shape(call.first)
    asked = call.dims(len(shape))
    if asked is None:
        return None
    return tuple(kept((call.first, d)) for d, n in enumerate(shape) if n != 1 or d not in asked)


def expanded(call: Bound) -> Layout | None:
    """Axes of size one repeated, new ones in front; `expand_as` names the tensor that the others are taken from."""
    result, other = _result(call), call.tensor("other")
    if result is None:
        return None
    own, shape = call.shape(call.first), call.shape(result)
    made = []
    for back in range(len(shape), 0, -1):
        if back <= len(own) and own[-back] == shape[-back]:
            made.append(kept((call.first, len(own) - back)))
        elif other is not None:
            made.append(kept((other, len(call.shape(other)) - back)))
        else:
            sources = ((call.first, len(own) - back),) if back <= len(own) else ()
            made.append(Place("new", sources, note="expand"))
    return tuple(made)


def repeated(call: Bound) -> Layout | None:
    """Whole copies, one after another: the outer factor of each repeated axis."""
    result = _result(call)
    if result is None:
        return None
    own, shape = call.shape(call.first), call.shape(result)
    made = []
    for back in range(len(shape), 0, -1):
        size = own[-back] if back <= len(own) else 1
        sources = ((call.first, len(own) - back),) if back <= len(own) else ()
        copies = shape[-back] // max(size, 1)
        made.append(kept(*sources) if copies == 1 and sources else Place("copied", sources, key=copies))
    return tuple(made)


def interleaved(call: Bound) -> Layout | None:
    """Each row some times over: the inner factor of one axis."""
    copies, at, rank = call.number("repeats"), call.number("dim"), len(call.shape(call.first))
    if copies is None or (at is None and rank != 1):
        return None
    made = [kept((call.first, d)) for d in range(rank)]
    made[at or 0] = Place("copied", ((call.first, (at or 0) % rank),), key=copies, outer=False)
    return tuple(made)


def windows(call: Bound) -> Layout | None:
    """`Tensor.unfold(dim, size, step)`: windows, and a new last axis within the window."""
    at, rank = call.number("dimension"), len(call.shape(call.first))
    if at is None:
        return None
    made = [kept((call.first, d)) for d in range(rank)]
    made[at] = Place("new", ((call.first, at % rank),), note="unfold")
    return (*made, new("unfold"))


def along(call: Bound) -> int:
    """The one axis along which a call works."""
    return (call.number("dim", 0) or 0) % max(len(call.shape(call.first)), 1)


def narrowed(call: Bound) -> Layout | None:
    """Part of one axis."""
    return _part(call, call.result, along(call), 0)


def _part(call: Bound, part: Tensor, at: int, key: object) -> Layout:
    own, shape = call.shape(call.first), call.shape(part)
    return tuple(
        Place("cut", ((call.first, d),), key=key) if d == at and own[d] != shape[d] else kept((call.first, d))
        for d in range(len(own))
    )


def parted(call: Bound) -> Layout | None:
    """Parts along one axis, one after another."""
    return tuple(_part(call, part, along(call), place) for place, part in enumerate(call.result))


def dropped(call: Bound) -> Layout:
    """One axis is gone."""
    return tuple(kept((call.first, d)) for d in range(len(call.shape(call.first))) if d != along(call))


def taken_apart(call: Bound) -> Layout | None:
    """A tensor for each place along one axis."""
    return tuple(dropped(call) for _ in call.result) if isinstance(call.result, (tuple, list)) else None


def concatenated(call: Bound) -> Layout | None:
    """One axis is joined; the others are those of all operands."""
    result = _result(call)
    parts = [part for part in call.first if call.is_tensor(part)] if isinstance(call.first, (tuple, list)) else []
    if result is None or not parts:
        return None
    shape = call.shape(result)
    whole = [part for part in parts if len(call.shape(part)) == len(shape)]
    if not whole:
        return tuple(new(call.op.name) for _ in shape)
    if "dim" in call.op.parameters:
        at = (call.number("dim", 0) or 0) % len(shape)
    else:
        at = next((d for d, n in enumerate(shape) if call.shape(whole[0])[d] != n), 0)
    sources = [tuple((part, d) for part in whole) for d in range(len(shape))]
    return tuple(Place("joined", s, key=d) if d == at else Place("kept", s) for d, s in enumerate(sources))


def stacked(call: Bound) -> Layout | None:
    """A new axis that counts the operands."""
    parts = [part for part in call.first if call.is_tensor(part)] if isinstance(call.first, (tuple, list)) else []
    if not parts:
        return None
    rank = len(call.shape(parts[0]))
    made = [kept(*((part, d) for part in parts[:1])) for d in range(rank)]
    made.insert((call.number("dim", 0) or 0) % (rank + 1), new("stack"))
    return tuple(made)


def padded_rows(call: Bound) -> Layout | None:
    """`pad_sequence`: samples, steps, and what a step has."""
    result = _result(call)
    parts = [part for part in call.first if call.is_tensor(part)] if isinstance(call.first, (tuple, list)) else []
    if result is None or not parts:
        return None
    samples, steps = new(call.op.name), Place("padded", ((parts[0], 0),), role="time")
    rest = [kept((parts[0], d)) for d in range(1, len(call.shape(parts[0])))]
    return (samples, steps, *rest) if call.get("batch_first") else (steps, samples, *rest)


def made(call: Bound) -> Layout | None:
    """Every axis is new."""
    result = _result(call)
    return tuple(new(call.op.name) for _ in call.shape(result)) if result is not None else None


def square(call: Bound) -> Layout | None:
    """Row i and column i are one thing."""
    result = _result(call)
    shape = call.shape(result) if result is not None else ()
    if len(shape) == 2 and shape[0] == shape[1]:
        return (new(call.op.name), Place("alike"))
    return made(call)


def einsum(call: Bound) -> Layout | None:
    """Each letter keeps its axis."""
    equation, operands = letters(call)
    if not equation:
        return None
    left, right = equation
    return tuple(
        kept(*((o, t.index(c)) for t, o in zip(left, operands) if c in t and len(t) == len(call.shape(o))))
        for c in right
    )


def letters(call: Bound) -> tuple[tuple[list[str], str] | None, list[Any]]:
    """The terms of an `einsum` and its operands; `None` where an ellipsis or sublists are used."""
    text = call.first
    operands = [tensor for _, tensor in call.tensors()]
    if not isinstance(text, str) or "." in text:
        return None, operands
    left, _, right = text.replace(" ", "").partition("->")
    if "->" not in text:
        every = left.replace(",", "")
        right = "".join(sorted(c for c in set(every) if every.count(c) == 1))
    return (left.split(","), right), operands


def summed(call: Bound) -> list[tuple[Any, tuple[int, ...]]]:
    """The operands of a product, each with the axes that it sums over."""
    terms, operands = letters(call) if call.op.axes is einsum else (None, [])
    if terms is not None:
        return [
            (one, tuple(d for d, c in enumerate(term) if c not in terms[1])) for one, term in zip(operands, terms[0])
        ]
    used = ((call.tensor(name), axes) for name, axes in uses(call).items())
    return [(one, tuple(d for d, use in enumerate(axes) if use in SUMMED)) for one, axes in used if one is not None]


def compared(call: Bound) -> Layout | None:
    """Two operands broadcast, one axis used up."""
    operands = [(tensor, call.shape(tensor)) for _, tensor in call.tensors()][:2]
    if not operands:
        return None
    rank = max(len(shape) for _, shape in operands)
    at = (call.number("dim", 1) or 0) % rank if "dim" in call.op.parameters else rank - 1
    sizes: Shape = tuple(max((s[-back] for _, s in operands if len(s) >= back)) for back in range(rank, 0, -1))
    whole = [
        kept(*((t, len(s) - back) for t, s in operands if len(s) >= back and s[-back] == sizes[-back]))
        for back in range(rank, 0, -1)
    ]
    return tuple(place for d, place in enumerate(whole) if d != at)
