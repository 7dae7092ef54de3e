"""Plausible values for shape-only tensors: what `.item()`, `bool()`, `.tolist()` and masks answer when there are no
numbers.

A shape-only tensor may carry one assumed value for all its elements (attribute `_assumed`). Comparisons are decided on
assumed values, so `loss < best` holds on the first look and `isnan(loss).any()` does not. Nothing here notes an
assumption; the reader of a value does.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import torch

aten = torch.ops.aten
Value = bool | int | float

COMPARISONS = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}
LOGIC = {
    "logical_and": lambda a, b: bool(a) and bool(b),
    "logical_or": lambda a, b: bool(a) or bool(b),
    "logical_xor": lambda a, b: bool(a) != bool(b),
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "__and": operator.and_,
    "__or": operator.or_,
}
KEEPING = {
    "_to_copy",
    "detach",
    "alias",
    "view",
    "clone",
    "squeeze",
    "unsqueeze",
    "expand",
    "slice",
    "select",
    "reshape",
    "_unsafe_view",
    "permute",
    "t",
    "transpose",
    "any",
    "all",
    "max",
    "amax",
    "amin",
    "min",
    "index",
    "cat",
    "stack",
    "copy_",
    "lift_fresh",
    "unbind",
    "split",
}
FIRST_INDEX = {"argmax", "argmin", "argsort", "multinomial"}
INDEX_SECOND = {"topk", "sort", "max", "min", "kthvalue", "median", "mode", "cummax", "cummin"}


def assumed(value: Any) -> Value:
    """The value to read from `value`: its own if it is a number or a real tensor, else the assumed one.

    Defaults: booleans hold, integers and floats are one.
    """
    if not isinstance(value, torch.Tensor):
        return value
    if not value.is_meta:
        return value.reshape(-1)[0].item() if value.numel() else 0
    kept = getattr(value, "_assumed", None)
    if kept is not None:
        return kept
    return default(value.dtype)


def default(dtype: torch.dtype) -> Value:
    """What is read from a tensor of `dtype` of which nothing is known."""
    if dtype is torch.bool:
        return True
    return 1.0 if dtype.is_floating_point else complex(1.0) if dtype.is_complex else 1


def cast(value: Value, dtype: torch.dtype) -> Value:
    """`value` as a Python number of `dtype`'s kind."""
    if dtype is torch.bool:
        return bool(value)
    if dtype.is_complex:
        return complex(value)
    return float(value) if dtype.is_floating_point else int(value) if math.isfinite(value) else 1


def filled(tensor: torch.Tensor) -> torch.Tensor:
    """A real tensor of `tensor`'s shape and dtype with its assumed value everywhere (one element, expanded: it uses no
    memory)."""
    one = torch.full((1,), cast(assumed(tensor), tensor.dtype), dtype=tensor.dtype, device="cpu")
    return one.expand(tuple(tensor.shape)) if tensor.dim() else one.reshape(())


def follow(name: str, args: tuple, result: Any) -> None:
    """After the operator `name` gave the shape-only `result`, note on it the assumed value where that is not the
    default.

    Args:
        name: the operator's short name, such as `lt` or `argmax`.
        args: its positional operands.
        result: what it returned.
    """
    if isinstance(result, (tuple, list)):
        if name in INDEX_SECOND and len(result) > 1 and isinstance(result[1], torch.Tensor):
            result[1]._assumed = 0
        if (
            name in KEEPING
            and result
            and isinstance(args[0], torch.Tensor)
            and getattr(args[0], "_assumed", None) is not None
        ):
            for part in result if name in ("unbind", "split") else result[:1]:
                part._assumed = args[0]._assumed
        return
    if not isinstance(result, torch.Tensor):
        return
    if name in COMPARISONS and len(args) > 1:
        result._assumed = compared(name, args[0], args[1])
    elif name.rstrip("_") in LOGIC and len(args) > 1 and not result.dtype.is_floating_point:
        result._assumed = cast(LOGIC[name.rstrip("_")](int(assumed(args[0])), int(assumed(args[1]))), result.dtype)
    elif name in ("logical_not", "bitwise_not") and result.dtype is torch.bool:
        result._assumed = not assumed(args[0])
    elif name in ("isnan", "isinf", "isin", "isneginf", "isposinf"):
        result._assumed = False
    elif name in FIRST_INDEX:
        result._assumed = 0
    elif name == "sum" and isinstance(args[0], torch.Tensor) and args[0].dtype is torch.bool:
        result._assumed = (args[0].numel() // max(1, result.numel())) * int(assumed(args[0]))
    elif name in KEEPING and args:
        source = args[0][0] if isinstance(args[0], (list, tuple)) and args[0] else args[0]
        kept = getattr(source, "_assumed", None) if isinstance(source, torch.Tensor) else None
        if kept is not None:
            result._assumed = cast(kept, result.dtype)


def compared(name: str, left: Any, right: object) -> bool:
    """How a comparison comes out. Two shape-only tensors are taken as equal; a shape-only tensor equals no given
    number.

    >>> compared("lt", torch.empty(2, device="meta"), math.inf), compared("eq", torch.empty(2, device="meta"), math.inf)
    (True, False)
    """
    if name in ("eq", "ne"):
        if left is right and name == "ne":  # x != x asks for NaN
            return False
        if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor):
            same = True
        elif getattr(left, "_assumed", None) is not None:
            same = left._assumed == right
        else:
            same = False
        return same if name == "eq" else not same
    return bool(COMPARISONS[name](assumed(left), assumed(right)))
