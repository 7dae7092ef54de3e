"""How many places of a comparison count: how many a mask lets through, how many have a target that no loss ignores.

It judges nothing.
"""

from __future__ import annotations

from typing import Any

import torch

from ...trace.seen import MASKING
from .losses import Losses
from .readable import readable

LARGEST, MOST, FEW = 1 << 20, 2000, 4
CLASSIFYING = frozenset({"cross_entropy", "nll_loss"})


class Counted:
    """Told by the recorder of every operator that it keeps outside of modules. `found` holds `(event, operand, places
    that count, all places)`, of a sum of losses the places of its targets."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self.found: list[tuple[int, int, int, int]] = []

    def note(self, op: str, args: tuple, index: int) -> None:
        """An operator was called."""
        if (op in MASKING or op == "eq") and len(self.found) < MOST:
            told = ((place, self._places(op, part)) for place, part in enumerate(args[:2]))
            self.found += [(index, place, *counts) for place, counts in told if counts is not None]
        elif op in CLASSIFYING and len(self.found) < MOST:
            asked = next((one for one in reversed(self.losses.asked[-FEW:]) if one.event == index), None)
            if asked is not None and asked.ignored is not None and asked.reduction == "sum":
                counts = int((asked.target != asked.ignored).sum()), asked.target.numel()
                self.found += [(index, 1, *counts)] if 0 < counts[0] < counts[1] else []

    def _places(self, op: str, part: Any) -> tuple[int, int] | None:
        """`(those that count, all)` of an operand that leaves some out."""
        if not isinstance(part, torch.Tensor) or part.requires_grad or not part.dim() or not readable(part, LARGEST):
            return None
        if op == "eq":
            if part.is_floating_point() or part.dtype == torch.bool:
                return None
            ignored = {one for asked in self.losses.asked if (one := asked.ignored) is not None}
            counts = part.numel() - sum(
                int((part == one).sum()) for one in ignored if one < 0 or self._fills(part, one)
            )
        elif part.dtype == torch.bool or bool(((part == 0) | (part == 1)).all()):
            counts = int((part != 0).sum())
        else:
            return None
        return (counts, part.numel()) if 0 < counts < part.numel() else None

    def _fills(self, part: torch.Tensor, value: int) -> bool:
        """Whether a number that some loss ignores fills up rows: it stands at the ends of several, after others, and
        nowhere else; or the labels are those of that loss."""
        filled = part == value
        if part.dim() == 2 and int(filled[:, -1].sum()) > 1 and not bool(filled[:, 0].any()):
            return bool((filled[:, :-1] <= filled[:, 1:]).all())
        flat = part.flatten()
        return any(asked.ignored == value and torch.equal(asked.target.flatten(), flat) for asked in self.losses.asked)
