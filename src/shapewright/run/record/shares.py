"""Counts the classes that a loss is asked for beside the weights that it gives them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch

from ...trace import ClassWeights
from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

CLASSES = frozenset({"cross_entropy", "nll_loss"})
YES_NO = "binary_cross_entropy_with_logits"
PLACES, CALLS, LARGEST, MOST = 8, 64, 1 << 20, 256


class Shares:
    """Watches the recorder's calls: for each place of a loss the weights of its first call and how often each class was
    asked for in the first calls."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._found: dict[Any, tuple[int, torch.Tensor, torch.Tensor]] = {}
        self._calls: dict[Any, int] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if op in CLASSES:
            weights = args[2] if len(args) > 2 else kwargs.get("weight")
        elif op == YES_NO:
            weights = kwargs.get("pos_weight", args[6] if len(args) > 6 else None)
        else:
            return
        target = args[1] if len(args) > 1 else kwargs.get("target")
        if not isinstance(weights, torch.Tensor) or not isinstance(target, torch.Tensor) or weights.requires_grad:
            return
        stack = self.recorder.sources.stack(sys._getframe(2))
        place = stack[-1] if stack else None
        self._calls[place] = self._calls.get(place, 0) + 1
        if self._calls[place] > CALLS or len(self._calls) > PLACES or not torch.is_grad_enabled():
            return
        with torch._C.DisableTorchFunction(), torch.no_grad():
            if not readable(weights, MOST) or not readable(target, LARGEST):
                return
            held, counts = _counted(op, weights, target)
            if counts is not None:
                event, kept, before = self._found.get(place, (len(self.recorder.raw), held, torch.zeros_like(counts)))
                if kept.shape == held.shape and torch.equal(kept, held):
                    self._found[place] = (event, kept, before + counts)

    def facts(self) -> tuple[ClassWeights, ...]:
        """What was counted, a place each."""
        return tuple(
            ClassWeights(event, tuple(weights.tolist()), tuple(int(count) for count in counts))
            for event, weights, counts in self._found.values()
        )


def _counted(op: str, weights: torch.Tensor, target: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor | None]:
    """The weights of the classes, and how often each is asked for; of yes and no the two classes of one weight."""
    held = weights.detach().double().cpu().flatten()
    if op == YES_NO:
        yes = target.detach().double().cpu()
        if len(held) != 1 or not bool(((yes == 0) | (yes == 1)).all()):
            return held, None
        return torch.stack([torch.ones(()).double(), held[0]]), torch.stack([(yes == 0).sum(), (yes == 1).sum()])
    if target.is_floating_point() or target.dtype == torch.bool:
        return held, None
    labels = target.detach().cpu().flatten()
    return held, torch.bincount(labels[(labels >= 0) & (labels < len(held))].long(), minlength=len(held))
