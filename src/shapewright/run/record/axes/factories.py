"""Factories: each axis of what they make is new, from a literal at the user's line."""

from __future__ import annotations

from .table import Axes, Call, follows


@follows(
    "zeros",
    "ones",
    "empty",
    "full",
    "rand",
    "randn",
    "randint",
    "randperm",
    "arange",
    "linspace",
    "logspace",
    "eye",
    "tensor",
    "as_tensor",
    "from_numpy",
    "normal",
    "new_zeros",
    "new_ones",
    "new_full",
    "new_empty",
    "new_tensor",
    "multinomial",
    "nonzero",
    "tril_indices",
    "triu_indices",
    "unique",
    "bincount",
    "hann_window",
)
def factory(call: Call) -> Axes | None:
    """New axes with the origin `literal`."""
    if not hasattr(call.result, "shape"):
        return None
    if call.op == "eye" and len(call.shape) == 2 and call.shape[0] == call.shape[1]:
        return (call.fresh(call.shape[0], "literal", call.op),) * 2  # row i and column i are one thing
    return tuple(call.fresh(size, "literal", call.op) for size in call.shape)
