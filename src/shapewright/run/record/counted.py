"""How many places of a comparison count: how many a mask lets through, how many have a target that no loss ignores.

It judges nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import torch

from .losses import Losses
from .readable import readable

MASKING = frozenset({"bitwise_and", "logical_and", "and", "mul"})
LARGEST, PER_PLACE, MOST = 1 << 20, 48, 2000


class Counted:
    """Watches the recorder's calls. `found` holds `(event, operand, places that count, all places)`."""

    def __init__(self, recorder: Any, losses: Losses) -> None:
        self.recorder, self.losses = recorder, losses
        self.found: list[tuple[int, int, int, int]] = []
        self._calls: dict[Any, int] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if not (op in MASKING or op == "eq") or self.recorder.modules or len(self.found) >= MOST:
            return
        with torch._C.DisableTorchFunction():
            told = [(place, *counts) for place, part in enumerate(args[:2]) if (counts := self._places(op, part))]
        if told:
            stack = self.recorder.sources.stack(sys._getframe(2))
            place = stack[-1] if stack else None
            self._calls[place] = self._calls.get(place, 0) + 1
            if self._calls[place] <= PER_PLACE:
                self.found += [(len(self.recorder.raw), *one) for one in told]

    def _places(self, op: str, part: Any) -> tuple[int, int] | None:
        """`(those that count, all)` of an operand that leaves some out."""
        if not isinstance(part, torch.Tensor) or part.requires_grad or not part.dim() or not readable(part, LARGEST):
            return None
        if op == "eq":
            if part.is_floating_point() or part.dtype == torch.bool:
                return None
            ignored = {one for asked in self.losses.asked if (one := asked.ignored) is not None and one < 0}
            counts = part.numel() - sum(int((part == one).sum()) for one in ignored)
        elif part.dtype == torch.bool or bool(((part == 0) | (part == 1)).all()):
            counts = int((part != 0).sum())
        else:
            return None
        return (counts, part.numel()) if 0 < counts < part.numel() else None
