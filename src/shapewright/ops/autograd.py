"""Derivatives taken by hand."""

from __future__ import annotations

from .call import Bound
from .places import Layout, kept
from .table import teach


def _as_inputs(call: Bound) -> Layout | None:
    """Each derivative has the axes of the input that it was taken by."""
    given = call.get("inputs")
    given = given if isinstance(given, (tuple, list)) else (given,)
    return tuple(
        tuple(kept((one, axis)) for axis in range(len(call.shape(one)))) if call.is_tensor(one) else () for one in given
    )


teach("backward", "outputs gradient=None", tags="differentiates")
teach("grad autograd_grad", "outputs inputs grad_outputs=None", axes=_as_inputs, tags="differentiates")
