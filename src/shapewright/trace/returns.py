"""Sums that run over the steps of an episode."""

from __future__ import annotations

from ..dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RunningSum:
    """The numbers of tensor `uid`, which event `event` made or was the first to read, are, to the last digit, `x[t] =
    r[t] + factor * x[t ± 1]` of the numbers `r` that the script held under `addend` at that moment.

    `kind` is `following` where each is made of those after it, `before` where it is made of those before it,
    `turned` where the first is made of all and stands last; `crossed` is the name of flags at which the sum goes on
    all the same, `kept` that of flags at which alone it goes on; `addends` and `values` begin with the first
    numbers."""

    event: int
    kind: str
    addend: str
    values: tuple[float, ...] = ()
    addends: tuple[float, ...] = ()
    crossed: str = ""
    kept: str = ""
    uid: int = 0


@dataclass(frozen=True, slots=True)
class PassedEnd:
    """Event `event` adds something to the numbers of a batch, also at all the places where the flags that the script
    holds beside it under `name` are set; `uid` is that of a tensor of flags, 0 of others."""

    event: int
    name: str
    uid: int = 0
