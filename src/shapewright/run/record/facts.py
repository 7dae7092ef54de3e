"""Turns live arguments and results into plain facts."""

from __future__ import annotations

import functools
from dataclasses import replace
from numbers import Integral
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from ...trace import TensorFact
from .notes import Note, Notes
from .readable import readable

WHOLE = (torch.int64, torch.int32, torch.int16, torch.uint8, torch.int8)
REAL = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
PLAIN = (int, float, bool, str, type(None))
LONGEST = 64


@functools.cache
def dtype_name(dtype: torch.dtype) -> str:
    """`float32` for `torch.float32`."""
    return str(dtype).removeprefix("torch.")


def tensor_fact(tensor: torch.Tensor, notes: Notes) -> TensorFact:
    """The facts of one tensor, with its axes where they are known."""
    if is_lazy(tensor) or tensor.is_nested:
        return TensorFact(kind="value", value=type(tensor).__name__)  # it has no shape, or not yet
    note = notes.get(tensor)
    if note is None and isinstance(tensor, torch.nn.Parameter):
        note = notes.put(tensor, Note(kind="parameter"))
    shape = tuple(int(size) for size in tensor.shape)
    device = getattr(tensor, "_claimed_device", None) or ("cpu" if tensor.is_meta else tensor.device)
    if note is None:
        return TensorFact(shape, dtype_name(tensor.dtype), str(device), tensor.requires_grad)
    axes = note.axes if len(note.axes) == len(shape) else ()
    return TensorFact(
        shape,
        dtype_name(tensor.dtype),
        str(device),
        tensor.requires_grad,
        axes,
        note.producer,
        note.name,
        note.kind,
        uid=note.uid,
    )


def fact(value: Any, notes: Notes, depth: int = 0) -> Any:
    """`value` as plain data: tensors become `TensorFact`s, sequences and dicts are kept, anything else becomes its
    type's name."""
    if isinstance(value, torch.Tensor):
        return tensor_fact(value, notes)
    if isinstance(value, PLAIN):
        return value if not isinstance(value, str) or len(value) < 200 else value[:200]
    if isinstance(value, (torch.Size, tuple, list)):
        if depth > 2:
            return TensorFact(kind="value", value=type(value).__name__)
        return tuple(fact(part, notes, depth + 1) for part in value[:LONGEST])
    if isinstance(value, slice):
        return TensorFact(
            kind="slice",
            value=tuple(
                part if isinstance(part, int) or part is None else str(part)
                for part in (value.start, value.stop, value.step)
            ),
        )
    if value is Ellipsis:
        return TensorFact(kind="ellipsis", value="...")
    if isinstance(value, dict) and depth <= 2:
        return {str(key): fact(part, notes, depth + 1) for key, part in list(value.items())[:LONGEST]}
    if isinstance(value, (torch.dtype, torch.device, torch.layout, torch.memory_format)):
        return TensorFact(kind="value", value=str(value))
    if hasattr(value, "__dataclass_fields__") or hasattr(value, "to_tuple"):
        parts = {
            k: fact(v, notes, depth + 1)
            for k, v in list(vars(value).items())[:LONGEST]
            if isinstance(v, (torch.Tensor, tuple))
        }
        return parts or TensorFact(kind="value", value=type(value).__name__)
    if type(value).__module__ == "numpy" and hasattr(value, "shape"):
        return TensorFact(tuple(value.shape), str(value.dtype), "numpy", kind="array")
    if isinstance(value, torch.nn.utils.rnn.PackedSequence):
        return TensorFact(
            tuple(value.data.shape),
            dtype_name(value.data.dtype),
            "cpu",
            kind="packed",
            value=tuple(value.batch_sizes.tolist()[:LONGEST]),
        )
    return TensorFact(kind="value", value=type(value).__name__)


def plainly(values: dict[str, Any]) -> dict[str, Any]:
    """A mapping with the integers of other libraries, as an array's or a space's, as plain ones."""
    return {key: int(v) if isinstance(v, Integral) and type(v) is not bool else v for key, v in values.items()}


def ranged(known: Any, value: Any) -> Any:
    """`known`, the fact of `value`, with `(least, greatest)` as the value of every tensor of numbers that is not too
    large."""
    if isinstance(known, tuple) and isinstance(value, (tuple, list)):
        return tuple(ranged(one, other) for one, other in zip(known, value))
    if isinstance(value, torch.Tensor) and isinstance(known, TensorFact) and known.kind != "parameter":
        if value.dtype in (*WHOLE, *REAL) and readable(value, 10_000_000):
            return replace(known, value=(value.min().item(), value.max().item()))
    return known
