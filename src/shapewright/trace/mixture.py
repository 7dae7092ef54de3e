"""Data and noise of which samples are mixed."""

from __future__ import annotations

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Mixture:
    """Event `event` made samples of `(data, noise)` with these `shares`; where a schedule says so, `schedule` holds the
    step of each, what is kept at this step, and the product of all that was kept up to it."""

    event: int
    shares: tuple[tuple[float, float], ...]
    schedule: tuple[tuple[int, float, float], ...] = ()
