"""Entry point: the axes of a call's result, from the axes of its operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ....trace import Site
from ..notes import Notes
from .table import Call, follower, fresh


def carry(op: str, args: tuple, kwargs: dict, result: Any, notes: Notes, sites: Callable[[], tuple[Site, ...]]) -> Any:
    """Axes of `result`: a tuple of `Axis` for a tensor, a tuple of such tuples for a sequence; empty where nothing is
    known.

    Args:
        op: canonical name of the call.
        args, kwargs: the live operands.
        result: the live result.
        notes: what is known of the operands.
        sites: gives the user's sites of the call, outermost first (asked for only where an axis is new).
    """
    function = follower(op)
    call = Call(op, args, kwargs, result, notes, sites)
    axes = None
    if function is not None:
        try:
            axes = function(call)
        except (IndexError, KeyError, TypeError, AttributeError, ValueError):
            axes = None  # an unusual form of the call: its axes stay unknown, which no rule takes for evidence
    if isinstance(result, torch.Tensor):
        return axes if _fits(axes, result) else _unknown(result, call)
    if axes is None:
        axes = (None,) * len(result)
    return tuple(_part(part, given, call) for part, given in zip(result, axes))


def _part(part: Any, given: Any, call: Call) -> Any:
    if isinstance(part, torch.Tensor):
        return given if _fits(given, part) else _unknown(part, call)
    if isinstance(part, (tuple, list)):
        return tuple(_part(inner, axes, call) for inner, axes in zip(part, given or (None,) * len(part)))
    return ()


def _fits(axes: Any, tensor: torch.Tensor) -> bool:
    return axes is not None and len(axes) == tensor.dim() and all(a.size == n for a, n in zip(axes, tensor.shape))


def _unknown(tensor: torch.Tensor, call: Call) -> tuple:
    """Axes with identities of their own, so that what follows can be told apart."""
    origin = call.origin("operator", call.op)
    return tuple(fresh(call.notes, size, origin) for size in tensor.shape)
