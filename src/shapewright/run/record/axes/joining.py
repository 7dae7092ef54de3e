"""Operators that join tensors: `cat`, `stack`, `pad_sequence`."""

from __future__ import annotations

from ....trace import Axis
from .elementwise import known
from .table import Axes, Call, follows


@follows("cat", "hstack", "vstack", "dstack")
def cat(call: Call) -> Axes:
    """The joined axis is new; each of the others is that of the operand which knows most of it, the first among
    equals."""
    parts = [part for part in call.argument(0, "tensors")]
    whole = [call.axes(part) for part in parts if part.dim() == call.result.dim()] or [call.axes(parts[0])]
    axes = tuple(max(same, key=known) for same in zip(*whole))
    at = (
        call.argument(1, "dim", 0)
        if call.op == "cat"
        else next(d for d, (a, n) in enumerate(zip(axes, call.shape)) if a.size != n)
    )
    at %= call.result.dim()
    role = axes[at].role if axes[at].role in ("time", "feature", "channel") else ""
    joined = call.fresh(call.shape[at], "operator", "cat", role)
    same = {given[at].uids for given in whole}
    if len(parts) > 1 and len(same) == 1 and len(whole) == len(parts) and at == 0 and not role and (own := same.pop()):
        joined = Axis(
            joined.size, "", joined.origin, ((call.notes.new_uid(), len(parts)), *own)
        )  # as many copies of one axis, one after another
    return (*axes[:at], joined, *axes[at + 1 :])


@follows("stack")
def stack(call: Call) -> Axes:
    """A new axis that counts the operands."""
    parts = list(call.argument(0, "tensors"))
    axes = call.axes(parts[0])
    at = (call.argument(1, "dim", 0) or 0) % (len(axes) + 1)
    return (*axes[:at], call.fresh(len(parts), "operator", "stack"), *axes[at:])


@follows("pad_sequence")
def pad_sequence(call: Call) -> Axes:
    """Samples, time, and what a step has."""
    parts = list(call.argument(0, "sequences"))
    batch_first = bool(call.argument(1, "batch_first", False))
    steps = call.result.shape[1 if batch_first else 0]
    time = Axis(
        int(steps),
        "time",
        call.origin("padding", "pad_sequence"),
        ((call.notes.new_uid(), int(steps)),) if steps != 1 else (),
    )
    samples = call.fresh(len(parts), "operator", "pad_sequence")
    rest = call.axes(parts[0])[1:]
    return (samples, time, *rest) if batch_first else (time, samples, *rest)
