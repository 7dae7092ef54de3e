"""Tells whether a recurrent layer reads steps again that its last call has read: windows that overlap.

It does not ask with which state the layer begins.
"""

from __future__ import annotations

import weakref

import torch

from ... import ops
from .readable import readable

LARGEST, LEAST = 100_000, 3


class Reread:
    """Keeps the last input of each recurrent layer, by its first weight."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[weakref.ref, torch.Tensor]] = {}

    def flags(self, op: str, args: tuple) -> tuple[str, ...]:
        """`rereads` where an input begins with at least half of the steps with which the last one of its layer ended,
        but is another one; nothing is said of packed sequences and of steps that are all alike."""
        if not ops.is_a(op, "recurrent") or len(args) < 9 or not isinstance(args[8], bool):
            return ()
        steps, weights = args[0], args[2]
        if not isinstance(weights, (list, tuple)) or not weights or not readable(steps, LARGEST):
            return ()
        value = steps.detach().transpose(0, 1) if args[8] and steps.dim() == 3 else steps.detach()
        known, value = self._last.get(id(weights[0])), value.clone()
        self._last[id(weights[0])] = weakref.ref(weights[0]), value
        if known is None or known[0]() is not weights[0]:
            return ()
        return ("rereads",) if _goes_back(known[1], value) else ()


def _goes_back(before: torch.Tensor, now: torch.Tensor) -> bool:
    """Whether the steps of `now`, (T, …), begin with the last T - k of `before`, for a k of at most half of them.

    >>> row = torch.arange(12.0).cos()
    >>> [_goes_back(row[:6, None], row[k : k + 6, None]) for k in (0, 1, 3, 4)]
    [False, True, True, False]
    """
    count = len(now)
    if before.shape != now.shape or count < LEAST or len(torch.unique(now.flatten(1), dim=0)) < LEAST:
        return False
    return any(torch.equal(before[k:], now[: count - k]) for k in range(1, count // 2 + 1))
