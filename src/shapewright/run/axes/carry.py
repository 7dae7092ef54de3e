"""Entry point: the axes of a call's result, from the axes of its operands."""

from __future__ import annotations

from typing import Any, Callable

import torch

from ...trace import Axis, Origin, Site
from ..notes import Notes


def carry(op: str, args: tuple, kwargs: dict, result: Any, notes: Notes, sites: Callable[[], tuple[Site, ...]]) -> Any:
    """Axes of `result`: a tuple of `Axis` for a tensor, a tuple of such tuples for a sequence.

    Args:
        op: canonical name of the call.
        args, kwargs: the live operands.
        result: the live result.
        notes: what is known of the operands.
        sites: gives the user's sites of the call, outermost first (asked for only where an axis is new).
    """
    if isinstance(result, torch.Tensor):
        return ()
    return tuple(() for _ in result)
