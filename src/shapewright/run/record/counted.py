"""How many places of a comparison count: how many a mask lets through, how many have a target that no loss ignores.

It judges nothing.
"""

from __future__ import annotations

from typing import Any

import torch

from ... import ops
from ...trace.seen import MASKING, PICKING
from .losses import Losses, ignored_by
from .readable import readable

LARGEST, MOST = 1 << 20, 2000
CLASSIFYING = frozenset({"cross_entropy", "nll_loss"})


class Counted:
    """Told by the recorder of every operator that it keeps. `found` holds `(event, operand, places
    that count, all places)`, of a sum of losses the places of its targets."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self.found: list[tuple[int, int, int, int]] = []

    def note(self, op: str, args: tuple, kwargs: dict, index: int, inside: bool) -> None:
        """An operator was called, `inside` of a module or not."""
        if inside and op not in CLASSIFYING:
            return
        picks = op in PICKING and len(args) > 1 and isinstance(args[1], torch.Tensor) and args[1].dtype == torch.bool
        if (op in MASKING or op == "eq" or picks) and len(self.found) < MOST:
            kinds = ("eq", "and") if picks else (op, op)  # of what, and by which mask
            told = ((place, self._places(*one)) for place, one in enumerate(zip(kinds, args[:2])))
            self.found += [(index, place, *counts) for place, counts in told if counts is not None]
        elif op in CLASSIFYING and len(self.found) < MOST:
            target = args[1] if len(args) > 1 else kwargs.get("target")
            call, ignored = ops.bind(op, args, kwargs), ignored_by(args, kwargs)
            if call is not None and call.reduction != "mean" and ignored is not None and self._readable(target):
                some, places = int((target != ignored).sum()), target.numel()
                self.found += [(index, 1, some, places)] if 0 < some < places else []

    def of(self, left: Any, right: Any) -> int:
        """How many places of two arrays that are compared count."""
        with torch._C.DisableTorchFunction():
            told = [self._places("eq", torch.tensor(part)) for part in (left, right) if part.dtype.kind == "i"]
        return min([left.size, *(one[0] for one in told if one is not None)])

    def _places(self, op: str, part: Any) -> tuple[int, int] | None:
        """`(those that count, all)` of an operand that leaves some out."""
        if not self._readable(part):
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

    def _readable(self, part: Any) -> bool:
        plain = isinstance(part, torch.Tensor) and not part.requires_grad and part.dim() > 0
        return plain and readable(part, LARGEST)

    def _fills(self, part: torch.Tensor, value: int) -> bool:
        """Whether a number that some loss ignores fills up rows: it stands at the ends of several, after others, and
        nowhere else; or the labels are those of that loss."""
        filled = part == value
        if part.dim() == 2 and int(filled[:, -1].sum()) > 1 and not bool(filled[:, 0].any()):
            return bool((filled[:, :-1] <= filled[:, 1:]).all())
        flat = part.flatten()
        return any(asked.ignored == value and torch.equal(asked.target.flatten(), flat) for asked in self.losses.asked)
