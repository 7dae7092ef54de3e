"""Operators that move, split, merge, add or drop axes without computing."""

from __future__ import annotations

from ....trace import Axis
from .table import Axes, Call, dims, follows


@follows("view", "reshape", "flatten", "unflatten", "ravel", "view_as", "reshape_as", "unsafe_view")
def refold(call: Call) -> Axes:
    """Factor the old axes in memory order and deal the factors out to the new sizes."""
    return deal(call, call.axes(call.first), call.shape)


def deal(call: Call, axes: Axes, shape: tuple[int, ...]) -> Axes:
    """The axes of `shape`, each with the factors of `axes` that it covers. A factor that must be cut in two gets two
    new identities
    that remember nothing but their size; an axis of size one is new where it has no counterpart."""
    factors = [(uid, size, axis) for axis in axes for uid, size in (axis.uids or ()) if size > 1]
    ones = [axis for axis in axes if axis.size == 1]
    made: list[Axis] = []
    for size in shape:
        if size == 1:
            made.append(ones.pop(0) if ones else call.fresh(1, "operator", call.op))
            continue
        taken, left = [], size
        while left > 1 and factors:
            uid, whole, axis = factors.pop(0)
            if left % whole == 0:
                taken.append((uid, whole, axis))
                left //= whole
            elif whole % left == 0:
                taken.append((call.notes.new_uid(), left, axis))
                factors.insert(0, (call.notes.new_uid(), whole // left, axis))
                left = 1
            else:
                return tuple(call.fresh(n, "operator", call.op) for n in shape)
        sources = {id(axis): axis for _, _, axis in taken}
        if len(sources) == 1 and next(iter(sources.values())).size == size:
            made.append(next(iter(sources.values())))
        else:
            roles = {axis.role for _, _, axis in taken}
            role = next(iter(roles)) if len(sources) == 1 and len(taken) == 1 and taken[0][2].size == size else ""
            origin = next(
                (axis.origin for _, _, axis in taken if axis.origin and axis.origin.kind == "constructor"), None
            )
            made.append(
                Axis(size, role, origin or call.origin("operator", call.op), tuple((uid, n) for uid, n, _ in taken))
            )
    return tuple(made)


@follows("permute")
def permute(call: Call) -> Axes:
    """Axes in the asked order."""
    order = call.args[1:] if len(call.args) > 1 else call.kwargs["dims"]
    if len(order) == 1 and not isinstance(order[0], int):
        order = order[0]
    axes = call.axes(call.first)
    return tuple(axes[d] for d in order)


@follows("transpose")
def transpose(call: Call) -> Axes:
    """Two axes change places."""
    axes = list(call.axes(call.first))
    a, b = call.argument(1, "dim0"), call.argument(2, "dim1")
    axes[a], axes[b] = axes[b], axes[a]
    return tuple(axes)


@follows("t", "mT", "mH")
def turned(call: Call) -> Axes:
    """`.T` turns all axes round, `.mT` the last two."""
    axes = call.axes(call.first)
    return tuple(reversed(axes)) if call.op == "t" else (*axes[:-2], axes[-1], axes[-2])


@follows("movedim")
def movedim(call: Call) -> Axes:
    """One or more axes move to other places."""
    axes = call.axes(call.first)
    source, target = dims(call.argument(1, "source"), len(axes)), dims(call.argument(2, "destination"), len(axes))
    rest = [d for d in range(len(axes)) if d not in source]
    order: list[int | None] = [None] * len(axes)
    for s, t in zip(source, target):
        order[t] = s
    return tuple(axes[rest.pop(0) if d is None else d] for d in order)


@follows("unsqueeze")
def unsqueeze(call: Call) -> Axes:
    """A new axis of size one."""
    axes = list(call.axes(call.first))
    at = call.argument(1, "dim") % (len(axes) + 1)
    axes.insert(at, Axis(1, "", call.origin("operator", "unsqueeze")))
    return tuple(axes)


@follows("squeeze")
def squeeze(call: Call) -> Axes:
    """Axes of size one go."""
    axes = call.axes(call.first)
    asked = call.argument(1, "dim")
    where = dims(asked, len(axes))
    return tuple(axis for d, axis in enumerate(axes) if d not in where or axis.size != 1)


@follows("expand", "expand_as", "broadcast_to")
def expand(call: Call) -> Axes:
    """Axes of size one are repeated; new ones come in front."""
    axes, shape = call.axes(call.first), call.shape
    other = call.axes(call.args[1]) if call.op == "expand_as" else None
    made = []
    for place in range(1, len(shape) + 1):
        old = axes[-place] if place <= len(axes) else None
        if old is not None and old.size == shape[-place]:
            made.append(old)
        elif other is not None:
            made.append(other[-place])
        else:
            made.append(call.fresh(shape[-place], "operator", "expand"))
    return tuple(reversed(made))


@follows("repeat", "tile")
def repeat(call: Call) -> Axes:
    """`repeat`: the copies are the outer factor of each repeated axis."""
    axes, shape = call.axes(call.first), call.shape
    made = []
    for place in range(1, len(shape) + 1):
        old = axes[-place] if place <= len(axes) else Axis(1)
        copies = shape[-place] // max(old.size, 1)
        made.append(old if copies == 1 else _copied(call, old, copies, outer=True))
    return tuple(reversed(made))


@follows("repeat_interleave")
def repeat_interleave(call: Call) -> Axes | None:
    """`repeat_interleave`: the copies are the inner factor."""
    axes, copies = list(call.axes(call.first)), call.argument(1, "repeats")
    at = call.argument(2, "dim")
    if not isinstance(copies, int) or (at is None and len(axes) != 1):
        return None
    at = (at or 0) % len(axes)
    axes[at] = _copied(call, axes[at], copies, outer=False)
    return tuple(axes)


def _copied(call: Call, axis: Axis, copies: int, outer: bool) -> Axis:
    made = (call.notes.new_uid(), copies)
    uids = (made, *axis.uids) if outer else (*axis.uids, made)
    return Axis(
        axis.size * copies, axis.role if axis.size > 1 else "", call.origin("operator", f"{call.op}({copies})"), uids
    )


@follows("unfold")
def unfold(call: Call) -> Axes | None:
    """`Tensor.unfold(dim, size, step)`: windows, and a new last axis within the window."""
    if len(call.args) < 3 or not isinstance(call.args[1], int):
        return None
    axes = list(call.axes(call.first))
    at = call.args[1] % len(axes)
    axes[at] = call.fresh(call.shape[at], "operator", "unfold")
    return (*axes, call.fresh(call.shape[-1], "operator", "unfold"))


@follows("pad")
def pad(call: Call) -> Axes:
    """Axes whose size changed are new; their role stays."""
    axes = call.axes(call.first)
    return tuple(
        a if a.size == n else Axis(n, a.role, call.origin("padding", "pad"), ((call.notes.new_uid(), n),))
        for a, n in zip(axes, call.shape)
    )


@follows("narrow", "select", "unbind", "split", "chunk", "tensor_split", "iter", "split_with_sizes", "hsplit", "vsplit")
def pieces(call: Call):
    """Parts along one axis."""
    axes = list(call.axes(call.first))
    if call.op == "iter":
        return tuple(tuple(axes[1:]) for _ in call.result) if isinstance(call.result, (tuple, list)) else None
    if call.op == "select":
        del axes[call.argument(1, "dim") % len(axes)]
        return tuple(axes)
    if call.op == "unbind":
        at = (call.argument(1, "dim", 0) or 0) % len(axes)
        return tuple(tuple(a for d, a in enumerate(axes) if d != at) for _ in call.result)
    if call.op == "narrow":
        at = call.argument(1, "dim") % len(axes)
        axes[at] = cut(call, axes[at], call.shape[at])
        return tuple(axes)
    at = (call.argument(2, "dim", 0) or 0) % len(axes)
    return tuple(
        (*axes[:at], cut(call, axes[at], part.shape[at], place), *axes[at + 1 :])
        for place, part in enumerate(call.result)
    )


def cut(call: Call, axis: Axis, size: int, part: int = 0) -> Axis:
    """A part of an axis: another identity (the same for equal cuts at one call), the same role and origin."""
    if size == axis.size:
        return axis
    if size == 1:
        return Axis(1, axis.role, axis.origin)
    return Axis(size, axis.role, axis.origin, ((call.notes.derived((axis.uids, "cut", size, part)), size),))


@follows("diagonal", "diag", "diag_embed", "meshgrid", "broadcast_tensors")
def unknown(call: Call) -> None:
    """Not followed."""
    return None
