"""How large the numbers are that models are given to learn from, and to answer without learning."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from ...trace import OtherScale, Site
from .readable import readable
from .standards import Standards

PLACES, CALLS, ASKED = 4, 64, 8  # arguments; calls that learn; calls that do not: later ones may go on from answers
NUMBERS = 1 << 20
FAR = 8.0


class Scales:
    """Fed with what outermost models are given."""

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.place = place
        self.learned: dict[tuple[int, int], tuple[int, float, Site | None]] = {}  # calls, the largest number, where
        self.asked: dict[tuple[int, int], int] = {}
        self.larger: OtherScale | None = None
        self.standards = Standards()

    @property
    def found(self) -> OtherScale | None:
        """Inputs that are far larger than those learned from, or standardized on one side alone."""
        if self.larger is not None:
            return self.larger
        with torch._C.DisableTorchFunction(), torch.no_grad():
            for model, unlike in self.standards.found():
                own, asked, at = unlike.learned, unlike.asked, unlike.feature
                moments = tuple((float(one.center[at]), float(one.spread[at])) for one in (own, asked))
                return OtherScale(model, at, 0.0, 0.0, own.place, asked.place, (moments[0], moments[1]))
        return None

    def given(self, model: int, args: tuple[object, ...], learns: bool) -> None:
        """An outermost model is called, to learn or to be asked."""
        with torch._C.DisableTorchFunction(), torch.no_grad():
            self.standards.given(model, args[0] if args else None, learns, self.place)
        for at, value in enumerate(args[:PLACES] if self.larger is None else ()):
            if not isinstance(value, torch.Tensor) or not value.dim() or not readable(value, NUMBERS):
                continue
            key = (model, at)
            calls, most, where = self.learned.get(key, (0, 0.0, None))
            if learns and value.is_floating_point() and calls < CALLS:
                self.learned[key] = (calls + 1, max(most, _size(value)[0]), where or self.place())
            elif not learns and calls and self.asked.setdefault(key, 0) < ASKED:
                self.asked[key] += 1
                mean = _size(value)[1] if value.dtype is not torch.bool else 0.0
                if math.isfinite(mean) and mean >= FAR * most > 0:  # a mask that is added is endless
                    self.larger = OtherScale(model, at, most, mean, where, self.place())


def _size(value: torch.Tensor) -> tuple[float, float]:
    """The largest and the average amount of some numbers."""
    with torch._C.DisableTorchFunction(), torch.no_grad():
        amounts = value.detach().double().abs()
        return float(amounts.max()), float(amounts.mean())
