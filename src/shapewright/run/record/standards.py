"""Whether a model was given standardized inputs to learn from and others to be asked about afterwards, or the other way
round, though the script holds what they would be standardized with: numbers that are the averages and the deviations of
what was not.

Inputs are known by the averages and deviations of their features alone, so it does not matter where they come from. It
looks at no name and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from types import FunctionType, ModuleType
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site
from .readable import readable

WIDEST, NUMBERS, CALLS, PLACES, HELD = 256, 1 << 18, 128, 24, 400
FEWEST, MOST = 32, 0.9  # rows; the share of features of which something has to hold
CENTER, SPREAD = 0.3, (0.6, 1.5)  # averages and deviations of standardized features
OFF, NARROW, WIDE = 1.0, 0.5, 2.0  # of others
NEAR, LIKE = 0.4, (0.6, 1.6)  # how near held numbers are to averages, in deviations, and to deviations
ALONE, FEW, INSIDE = 0.1, 4, 40  # the same of a single feature; parts of a tuple, and of an object


@dataclass
class Moments:
    """Rows, sums and sums of squares of the features that were given at one place."""

    place: Site | None
    calls: int = 0
    rows: int = 0
    total: torch.Tensor = field(default_factory=lambda: torch.zeros(0))
    squares: torch.Tensor = field(default_factory=lambda: torch.zeros(0))

    def add(self, rows: torch.Tensor) -> None:
        """More rows, (rows, features), were given."""
        self.calls += 1
        if self.rows and rows.shape[1] != len(self.total):
            return
        first = not self.rows
        self.rows += len(rows)
        self.total = rows.sum(0) if first else self.total + rows.sum(0)
        self.squares = rows.square().sum(0) if first else self.squares + rows.square().sum(0)

    @property
    def center(self) -> torch.Tensor:
        return self.total / self.rows

    @property
    def spread(self) -> torch.Tensor:
        return (self.squares / self.rows - self.center.square()).clamp_min(0).sqrt()

    @property
    def standard(self) -> bool:
        """Whether the features have averages near 0 and deviations near 1."""
        within = (self.center.abs() < CENTER) & (self.spread > SPREAD[0]) & (self.spread < SPREAD[1])
        return _mostly(within)

    @property
    def far(self) -> torch.Tensor:
        """Which features have others."""
        return (self.center.abs() > OFF) | (self.spread < NARROW) | (self.spread > WIDE)


@dataclass(frozen=True)
class Unlike:
    """A feature that is standardized at one place and has another average (or deviation) at the other."""

    learned: Moments
    asked: Moments
    feature: int


class Standards:
    """Fed with bindings and with what outermost models are given."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, int, str], Any] = {}
        self.learned: dict[int, dict[Site | None, Moments]] = {}
        self.asked: dict[int, dict[Site | None, Moments]] = {}

    def bound(self, place: tuple[str, int, str], value: Any) -> None:
        """A variable was bound: it may be averages or deviations."""
        if place in self.held or len(self.held) < HELD:
            if _numbers(value) is not None or _parts(value):
                self.held[place] = value

    def given(self, model: int, value: object, learns: bool, place: Any) -> None:
        """A model is called with this first argument, to learn or to be asked."""
        if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not readable(value, NUMBERS):
            return
        if not value.dim() or value.shape[-1] > WIDEST or value.dim() > 3 or (not learns and model not in self.learned):
            return
        side = (self.learned if learns else self.asked).setdefault(model, {})
        at = place()
        if len(side) < PLACES or at in side:
            moments = side.setdefault(at, Moments(at))
            if moments.calls < CALLS:
                moments.add(value.detach().double().reshape(-1, value.shape[-1]))

    def found(self) -> Iterator[tuple[int, Unlike]]:
        """Models whose inputs were standardized on one side alone, with the feature that is farthest off."""
        vectors: list[torch.Tensor] | None = None
        for model, learned in self.learned.items():
            trained = [one for one in learned.values() if one.rows >= FEWEST]
            for asked in self.asked.get(model, {}).values():
                for own in trained if asked.rows >= FEWEST else ():
                    if own.standard == asked.standard or len(own.total) != len(asked.total):
                        continue
                    raw = asked if own.standard else own
                    if not bool(2 * raw.far.sum() > len(raw.far)):
                        continue
                    vectors = vectors if vectors is not None else [*self._vectors()]
                    if _described(raw, [one for one in vectors if len(one) in (1, len(raw.total))]):
                        off = raw.center.abs() + raw.spread.clamp_min(1e-12).log().abs()
                        yield model, Unlike(own, asked, int(off.argmax()))
                        return

    def _vectors(self) -> Iterator[torch.Tensor]:
        """The numbers that are held, by variables or by what these hold."""
        for value in self.held.values():
            own = _numbers(value)
            for one in (value,) if own is not None else _parts(value):
                numbers = _numbers(one)
                if numbers is not None:
                    yield numbers.detach().double().cpu().flatten()


def _described(raw: Moments, held: list[torch.Tensor]) -> bool:
    """Whether some numbers are the averages of some features and others their deviations, or variances."""
    spread, alone = raw.spread.clamp_min(1e-12), len(raw.total) == 1
    near, like = (ALONE, (1 - ALONE, 1 + ALONE)) if alone else (NEAR, LIKE)
    centers = [one for one in held if _mostly((one - raw.center).abs() < near * spread)]
    spreads = [
        one
        for one in held
        for size in (one, one.clamp_min(0).sqrt())
        if _mostly((size > like[0] * spread) & (size < like[1] * spread))
    ]
    return any(one is not other for one in centers for other in spreads)


def _numbers(value: Any) -> torch.Tensor | None:
    """A few real numbers, as a tensor; `None` of anything else."""
    if isinstance(value, torch.Tensor):
        few = value.is_floating_point() and not value.requires_grad and 0 < value.numel() <= WIDEST
        return value if few and readable(value, WIDEST) else None
    kind = getattr(getattr(value, "dtype", None), "kind", "") if type(value).__module__ == "numpy" else ""
    return torch.tensor(value.tolist()) if kind == "f" and 0 < getattr(value, "size", 0) <= WIDEST else None


def _parts(value: Any) -> list[Any]:
    """What a tuple, a dictionary or an object, such as a scaler, holds."""
    if isinstance(value, (torch.Tensor, torch.nn.Module, type, ModuleType, FunctionType)):
        return []
    if type(value) in (tuple, list):
        return [*value] if len(value) <= FEW else []
    inner = value if type(value) is dict else getattr(value, "__dict__", None)  # another's methods are code of its own
    return [*inner.values()] if type(inner) is dict and len(inner) <= INSIDE else []


def _mostly(holds: torch.Tensor) -> bool:
    return bool(holds.double().mean() >= MOST)
