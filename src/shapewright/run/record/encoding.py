"""Recognises one-hot data by its values: along which axis exactly one value is 1 and the others are 0."""

from __future__ import annotations

import torch

from .readable import readable

RECURRENT = frozenset({"lstm", "gru", "rnn_tanh", "rnn_relu"})
LARGEST = 1_000_000


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
