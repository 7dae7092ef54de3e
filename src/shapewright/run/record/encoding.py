"""Recognises data by their values: one-hot (along which axis exactly one value is 1 and the others are 0), and flags,
which are zeros and ones."""

from __future__ import annotations

import torch

from .readable import readable

RECURRENT = frozenset({"lstm", "gru", "rnn_tanh", "rnn_relu"})
LARGEST = 1_000_000
MAKING = frozenset({"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "BoolTensor", "LongTensor"})


def one_hot(op: str, args: tuple) -> tuple[str, ...]:
    """Flags such as `one-hot:1` for the input of a recurrent layer, one for each axis along which it is one-hot."""
    if op not in RECURRENT or not args or not isinstance(args[0], torch.Tensor):
        return ()
    value = args[0]
    if value.dim() != 3 or value.requires_grad or not readable(value, LARGEST):
        return ()
    if not bool(((value == 0) | (value == 1)).all()):
        return ()
    return tuple(f"one-hot:{axis}" for axis in range(3) if value.shape[axis] > 1 and bool((value.sum(axis) == 1).all()))


def flags(op: str, result: object) -> tuple[str, ...]:
    """`bits` for a tensor made of the user's numbers that are all zeros or ones."""
    if op not in MAKING or not isinstance(result, torch.Tensor) or result.dim() not in (1, 2):
        return ()
    if not readable(result, LARGEST):
        return ()
    return ("bits",) if bool(((result == 0) | (result == 1)).all()) else ()
