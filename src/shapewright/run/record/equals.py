"""Notes where computed values of one shape are laid beside each other and are equal to the last bit each time, and
where values are divided by ones or zeros are taken off them.

A difference that is always zero compares a thing with itself; answers that are joined and are all the same come from
networks that are. Which of them mean something is asked by a rule, what has no effect by an invariant of repairs.
"""

from __future__ import annotations

import contextlib
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
NEUTRAL = {"div": 1.0, "true_divide": 1.0, "div_": 1.0, "sub": 0.0, "sub_": 0.0}
NEAR = 1e-5


class Equals:
    """Watches the recorder's calls."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self._met: dict[tuple, list[tuple[int, int]] | None] = {}
        self._idle: list[int] = []

    def note(self, op: str, args: tuple, kwargs: dict) -> None:
        """Called before every recorded operator."""
        if op in NEUTRAL and len(args) == 2 and _is(args[1], NEUTRAL[op]):
            self._idle.append(len(self.recorder.raw))
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

    def told(self) -> dict[str, tuple[int, ...]]:
        """The first event of every place where nothing else was seen, of comparisons in two iterations or more; and
        all events that had no effect."""
        places = self._met.items()
        equal = (met[0][0] for (op, _), met in places if met and (op in JOINING or met[0][1] != met[-1][1]))
        return {"equal": tuple(equal), "idle": tuple(self._idle)}


def _is(value: object, number: float) -> bool:
    """Whether several computed values are all one number, but for rounding."""
    if not isinstance(value, torch.Tensor) or not value.dtype.is_floating_point or not value.dim():
        return False
    if not readable(value, LARGEST):
        return False
    with torch._C.DisableTorchFunction(), torch.no_grad(), contextlib.suppress(RuntimeError):  # of a type that adds not
        first = value.detach()[(0,) * value.dim()]  # which is asked alone, since it tells of nearly all
        return bool((first - number).abs() < NEAR) and bool(((value.detach() - number).abs() < NEAR).all())
    return False
