"""Sums that run over the steps of an episode, and which steps are stored."""

from __future__ import annotations

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True, slots=True)
class RunningSum:
    """The numbers of tensor `uid`, which event `event` made or was the first to read, are, to the last digit, `x[t] =
    r[t] + factor * x[t ± 1]` of the numbers `r` that the script held under `addend` at that moment.

    `kind` is `following` where each is made of those after it, `before` where it is made of those before it,
    `turned` where the first is made of all and stands last; `crossed` is the name of flags at which the sum goes on
    all the same, `kept` that of flags at which alone it goes on, `turned` that of flags of which the last is used at
    the first step; `addends` and `values` begin with the first numbers."""

    event: int
    kind: str
    addend: str
    values: tuple[float, ...] = ()
    addends: tuple[float, ...] = ()
    crossed: str = ""
    kept: str = ""
    uid: int = 0
    turned: str = ""


@dataclass(frozen=True, slots=True)
class PassedEnd:
    """Event `event` adds something to the numbers of a batch, also at all the places where the flags that the script
    holds beside it under `name` mark an end: they are set there, or alone not set where they tell that it `keeps` on
    (`None`: either); `uid` is that of a tensor of flags, 0 of others."""

    event: int
    name: str
    uid: int = 0
    keeps: bool | None = False


@dataclass(frozen=True, slots=True)
class Unended:
    """The last of `stack` was reached after each of `steps` steps of an environment, taken at `step`, and after none of
    the `ends` that ended an episode, although a flag of the end is handed over there."""

    stack: tuple[Site, ...]
    step: Site
    steps: int
    ends: int


@dataclass(frozen=True, slots=True)
class Unadvanced:
    """In `count` steps of an episode, taken at `site`, which gave `other` observations, a model was `asked` at `asked`
    about one alone, or one alone was `stored` there with what they gave; or what the steps gave, new in `other` of
    `count`, is stored `twice`, at `site`, and what they began with is not; or a model is `trained` on what steps gave,
    which is handed on at `site`: on `other` of those that ended episodes, and on none that it began with, among `count`
    in all."""

    kind: str
    site: Site
    asked: Site
    count: int
    other: int


@dataclass(frozen=True, slots=True)
class Outgrown:
    """At the last of `stack` lists are walked through together: those with a graph have `count` entries, all new, and
    others have `whole`, those of all updates so far; `name` is that of a list of so many, if one was seen."""

    stack: tuple[Site, ...]
    name: str
    count: int
    whole: int
