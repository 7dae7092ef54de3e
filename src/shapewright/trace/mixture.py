"""Data and noise of which samples are mixed, and how sampling unmixes them."""

from __future__ import annotations

from ..dataclass import dataclass

Shares = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Mixture:
    """Event `event` made samples of `(data, noise)` with these `shares`; where a schedule says so, `schedule` holds the
    step of each, what is kept at this step, and the product of all that was kept up to it.

    `made` holds what other tensors beside it are made of, by their uids: the data and the noise themselves, and what
    else is a mixture of both; `times` the numbers, one a sample, that the model is given by place beside the samples.
    """

    event: int
    shares: Shares
    schedule: tuple[tuple[int, float, float], ...] = ()
    made: tuple[tuple[int, Shares], ...] = ()
    times: tuple[tuple[int, tuple[float, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Walk:
    """What `module` was given next, `x`, is `kept * x + answered * answer + drawn * noise` of what it was given before,
    its answer and fresh noise; event `event` made it. `times` and `later` are the single numbers that it was given
    beside both, by place."""

    module: int
    event: int
    kept: float
    answered: float
    drawn: float
    times: tuple[tuple[int, float], ...]
    later: tuple[tuple[int, float], ...]
