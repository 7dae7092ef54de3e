"""Notes where computed values of one shape are laid beside each other and are equal to the last bit each time.

A difference that is always zero compares a thing with itself; answers that are joined and are all the same come from
networks that are. Which of them mean something is asked by a rule.
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
JOINING, MEMBERS = frozenset({"stack", "cat"}), 3
CALLS, LARGEST = 64, 100_000


class Equals:
    """Watches the recorder's calls."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._met: dict[tuple, list[tuple[int, int]] | None] = {}

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        joined = op in JOINING and bool(args) and isinstance(args[0], (list, tuple)) and len(args[0]) >= MEMBERS
        if not joined and (op not in COMPARING or len(args) < 2):
            return
        one, *others = args[0] if joined else args[:2]
        if not all(isinstance(part, torch.Tensor) and part.shape == one.shape for part in (one, *others)):
            return
        learned = joined and self.recorder.iteration > 0
        if not (learned or one.requires_grad or others[0].requires_grad) or not one.dtype.is_floating_point:
            return
        stack = self.recorder.sources.stack(sys._getframe(2))
        place = (op, stack)
        met = self._met.setdefault(place, [])
        if met is None or len(met) >= CALLS or not stack:
            return
        with torch._C.DisableTorchFunction():
            alike = all(readable(part, LARGEST) for part in (one, *others))
            same = sum(torch.equal(one, other) for other in others) if alike else 0
            alike = same >= (MEMBERS - 1 if joined else 1)  # a loop that was cut may have left some networks untrained
            if not alike or (one is not others[0] and bool((one == one.flatten()[0]).all())):
                self._met[place] = None
            else:
                met.append((len(self.recorder.raw), self.recorder.iteration))

    def found(self) -> tuple[int, ...]:
        """The first event of every place where nothing else was seen, of comparisons in two iterations or more."""
        return tuple(
            met[0][0] for (op, _), met in self._met.items() if met and (op in JOINING or met[0][1] != met[-1][1])
        )
