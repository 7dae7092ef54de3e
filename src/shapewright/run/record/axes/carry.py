"""Entry point: the axes of a call's result, from the axes of its operands and the table's map of the operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .... import ops
from ....ops.maps import broadcast, same
from ....trace import Axis, Origin, Site
from ..notes import Note, Notes
from .places import Axes, Reader, aligned_squares, folded


def carry(op: str, args: tuple, kwargs: dict, result: Any, notes: Notes, sites: Callable[[], tuple[Site, ...]]) -> Any:
    """Axes of `result`: a tuple of `Axis` for a tensor, a tuple of such tuples for a sequence; axes of their own where
    nothing is known.

    Args:
        op: canonical name of the call.
        args, kwargs: the live operands.
        result: the live result.
        notes: what is known of the operands.
        sites: gives the user's sites of the call, outermost first (asked for only where an axis is new).
    """
    reader = Reader(op, notes, sites)
    entry = ops.find(op)
    if entry is not None and entry.axes is same and args and isinstance(result, torch.Tensor):
        axes = axes_of(args[0], notes) if isinstance(args[0], torch.Tensor) else None
        return axes if _fits(axes, result) else reader.unknown(result)
    call = ops.bind(op, args, kwargs, result, torch.is_tensor)
    layout = ops.layout(call) if call is not None else None
    if isinstance(result, torch.Tensor):
        axes = _read(reader, call, layout, result)
        if call is not None and entry.axes is broadcast and len(axes) >= 2 and axes[-1].size == axes[-2].size:
            return aligned_squares(axes, [axes_of(tensor, notes) for _, tensor in call.tensors()])
        return axes
    return tuple(_part(reader, call, part, given) for part, given in zip(result, layout or (None,) * len(result)))


def _part(reader: Reader, call: Any, part: Any, layout: Any) -> Any:
    if isinstance(part, torch.Tensor):
        return _read(reader, call, layout, part)
    if isinstance(part, (tuple, list)):
        return tuple(_part(reader, call, inner, given) for inner, given in zip(part, layout or (None,) * len(part)))
    return ()


def _read(reader: Reader, call: Any, layout: Any, result: torch.Tensor) -> Axes:
    """The layout's places as axes; a form of the call that the map does not know leaves them unknown."""
    if layout is None or len(layout) != result.dim():
        return reader.unknown(result)
    if layout and layout[0].how == "folded":
        axes = folded(reader, axes_of(call.first, reader.notes), tuple(result.shape))
    else:
        axes = reader.places(layout, result, lambda tensor: axes_of(tensor, reader.notes))
    return axes if _fits(axes, result) else reader.unknown(result)


def _fits(axes: Axes | None, tensor: torch.Tensor) -> bool:
    return axes is not None and len(axes) == tensor.dim() and all(a.size == n for a, n in zip(axes, tensor.shape))


def axes_of(tensor: torch.Tensor, notes: Notes) -> Axes:
    """The axes of an operand; one that was never seen gets axes of its own, which it keeps."""
    note = notes.get(tensor)
    if note is not None and len(note.axes) == tensor.dim():
        return note.axes
    kind = "parameter" if isinstance(tensor, torch.nn.Parameter) else ""
    origin = Origin(kind) if kind else None
    axes = tuple(
        Axis(int(size), "", origin, ((notes.new_uid(), int(size)),) if size != 1 else ()) for size in tensor.shape
    )
    if note is None:
        note = notes.put(tensor, Note(kind=kind or "tensor"))
    note.axes = axes
    return axes
