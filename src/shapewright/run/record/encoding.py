"""Recognises data by their values: one-hot (along which axis exactly one value is 1 and the others are 0), and flags,
which are zeros and ones."""

from __future__ import annotations

import torch

from ... import ops
from .readable import readable

LARGEST = 1_000_000
LONGEST = 512
LOW = -1000.0
MAKING = frozenset({"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "BoolTensor", "LongTensor"})


def one_hot(op: str, args: tuple) -> tuple[str, ...]:
    """Flags such as `one-hot:1` for the input of a recurrent layer, one for each axis along which it is one-hot."""
    if not ops.is_a(op, "recurrent") or not args or not isinstance(args[0], torch.Tensor):
        return ()
    value = args[0]
    if value.dim() != 3 or value.requires_grad or not readable(value, LARGEST):
        return ()
    if not bool(((value == 0) | (value == 1)).all()):
        return ()
    return tuple(f"one-hot:{axis}" for axis in range(3) if value.shape[axis] > 1 and bool((value.sum(axis) == 1).all()))


def hides_past(op: str, args: tuple, kwargs: dict) -> tuple[str, ...]:
    """`hides-past` for scores of steps against steps that are masked before every step's own place, and not after."""
    name = op.rstrip("_")
    if name == "masked_fill" and len(args) == 3 and isinstance(args[2], (int, float)) and args[2] <= LOW:
        mask, hides = args[1], True
    elif name == "scaled_dot_product_attention":
        mask, hides = kwargs.get("attn_mask", args[3] if len(args) > 3 else None), False
    elif name == "multi_head_attention_forward":
        mask, hides = kwargs.get("attn_mask"), True
    else:
        return ()
    if not isinstance(mask, torch.Tensor) or mask.dim() < 2 or mask.shape[-1] != mask.shape[-2]:
        return ()
    steps = mask.shape[-1]
    if not 3 <= steps <= LONGEST or not readable(mask, LARGEST):
        return ()
    hidden = mask <= LOW if mask.dtype.is_floating_point else mask.bool() == hides
    rows, columns = torch.tril_indices(steps, steps, -1, device=mask.device)
    past, future = hidden[..., rows, columns], hidden[..., columns, rows]
    return ("hides-past",) if bool(past.all()) and bool((~future).any()) else ()


def flags(op: str, result: object) -> tuple[str, ...]:
    """`bits` for a tensor made of the user's numbers that are all zeros or ones; `both` for truth values of which some
    are true and some are not."""
    if isinstance(result, torch.Tensor) and result.dtype == torch.bool and result.dim():
        if op not in MAKING and readable(result, LARGEST):
            return ("both",) if bool(result.any()) and not bool(result.all()) else ()
    if op not in MAKING or not isinstance(result, torch.Tensor) or not 1 <= result.dim() <= 3:
        return ()
    if not readable(result, LARGEST):
        return ()
    if not bool(((result == 0) | (result == 1)).all()):
        return ()
    return ("bits", "both") if bool((result == 0).any()) and bool((result == 1).any()) else ("bits",)
