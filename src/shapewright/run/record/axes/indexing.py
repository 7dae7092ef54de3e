"""Indexing: `x[...]`, `gather`, `index_select`, `take_along_dim`."""

from __future__ import annotations

from typing import Any

import torch

from ....trace import Axis
from .elementwise import broadcast_shape
from .layout import cut
from .table import Axes, Call, follows


@follows("getitem")
def getitem(call: Call) -> Axes | None:
    """Integers drop an axis, slices cut it, `None` adds one, an index tensor replaces it by its own axes."""
    axes = call.axes(call.args[0])
    index = call.args[1] if isinstance(call.args[1], tuple) else (call.args[1],)
    used = sum(_width(part) for part in index if part is not Ellipsis and part is not None)
    tensors = [part for part in index if isinstance(part, (torch.Tensor, list))]
    made: list[Axis] = []
    at, placed = 0, False
    for part in index:
        if part is Ellipsis:
            skip = len(axes) - used
            made.extend(axes[at : at + skip])
            at += skip
        elif part is None:
            made.append(Axis(1, "", call.origin("operator", "None")))
        elif isinstance(part, bool):
            return None
        elif isinstance(part, int) or (isinstance(part, torch.Tensor) and part.dim() == 0 and part.dtype != torch.bool):
            at += 1
        elif isinstance(part, slice):
            size = len(range(*part.indices(axes[at].size)))
            made.append(cut(call, axes[at], size, hash((part.start, part.step)) if _plain(part) else 0))
            at += 1
        else:
            if not placed:
                made.extend(_picked(call, axes[at], part, tensors))
                placed = True
            at += _width(part)
    return (*made, *axes[at:])


def _plain(part: slice) -> bool:
    return all(isinstance(value, (int, type(None))) for value in (part.start, part.stop, part.step))


def _width(part: Any) -> int:
    return part.dim() if isinstance(part, torch.Tensor) and part.dtype == torch.bool else 1


def _picked(call: Call, axis: Axis, part: Any, tensors: list) -> list[Axis]:
    """The axes that an index tensor puts in place: the same for equal picks from one axis."""
    if len(tensors) > 1:
        shapes = [value.shape if isinstance(value, torch.Tensor) else (len(value),) for value in tensors]
        joint = broadcast_shape(*shapes)
        known = next(
            (call.axes(value) for value in tensors if isinstance(value, torch.Tensor) and value.shape == joint), None
        )
        return list(known) if known is not None else [call.fresh(n, "index") for n in joint]
    if isinstance(part, list):
        return [call.fresh(len(part), "index", role=axis.role)]
    if part.dtype == torch.bool:
        size = int(call.result.shape[0]) if call.result.dim() else 0
        return [call.fresh(size, "index", role=axis.role if part.dim() == 1 else "")]
    own = call.axes(part)
    if part.dim() == 1:
        origin = own[0].origin if own[0].role else axis.origin
        uid = call.notes.derived((axis.uids, "pick", call.notes.get(part).uid))
        return [Axis(own[0].size, own[0].role or axis.role, origin, ((uid, own[0].size),) if own[0].size != 1 else ())]
    return list(own)


@follows("index_select")
def index_select(call: Call) -> Axes:
    """One axis is replaced by the index's."""
    axes = list(call.axes(call.first))
    at = call.argument(1, "dim") % len(axes)
    axes[at] = _picked(call, axes[at], call.argument(2, "index"), [])[0]
    return tuple(axes)


@follows("gather", "take_along_dim")
def gather(call: Call) -> Axes:
    """The index's shape; axes of the same size keep the input's identity."""
    axes = call.axes(call.first)
    index = (
        call.args[2]
        if call.op == "gather" and len(call.args) > 2
        else call.kwargs.get("index", call.args[1] if len(call.args) > 1 else None)
    )
    own = call.axes(index)
    return tuple(a if a.size == n else i for a, i, n in zip(axes, own, call.shape))


@follows("setitem")
def setitem(call: Call) -> None:
    """Writes; makes nothing."""
    return None
