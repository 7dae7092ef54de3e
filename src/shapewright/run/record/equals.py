"""Notes where two computed values of one shape are laid beside each other and are equal to the last bit each time.

A difference that is always zero compares a thing with itself. Which of them mean something is asked by a rule.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import torch

from .readable import readable

if TYPE_CHECKING:
    from .recorder import Recorder

COMPARING = frozenset(
    {
        "sub",
        "div",
        "margin_ranking_loss",
        "mse_loss",
        "l1_loss",
        "smooth_l1_loss",
        "huber_loss",
        "cosine_similarity",
        "lerp_",
    }
)
CALLS, LARGEST = 64, 100_000


class Equals:
    """Watches the recorder's calls."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._met: dict[tuple, list[tuple[int, int]] | None] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if op not in COMPARING or len(args) < 2:
            return
        one, other = args[:2]
        if not (isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor)) or one.shape != other.shape:
            return
        if not (one.requires_grad or other.requires_grad) or not one.dtype.is_floating_point:
            return
        stack = self.recorder.sources.stack(sys._getframe(2))
        place = (op, stack)
        met = self._met.setdefault(place, [])
        if met is None or len(met) >= CALLS or not stack:
            return
        with torch._C.DisableTorchFunction():
            alike = readable(one, LARGEST) and readable(other, LARGEST) and torch.equal(one, other)
            if not alike or (one is not other and bool((one == one.flatten()[0]).all())):
                self._met[place] = None
            else:
                met.append((len(self.recorder.raw), self.recorder.iteration))

    def found(self) -> tuple[int, ...]:
        """The first event of every place where nothing else was seen, in two iterations or more."""
        return tuple(met[0][0] for met in self._met.values() if met and met[0][1] != met[-1][1])
