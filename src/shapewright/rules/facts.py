"""What a rule returns: typed facts, never prose."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import field

from ..dataclass import dataclass
from ..trace import Event, Origin, Site
from .remedy import Remedy


@dataclass(frozen=True)
class Span:
    """A place beside the fault with a short label in data form, such as `input1 (1, 1)`."""

    site: Site
    label: str


@dataclass(frozen=True)
class Facts:
    """One fault at one place.

    `message` and `why` name entries of the rule's `MESSAGES`, filled from `fields` (the same named fields in every
    language); `origins` say where each offending axis came from, nearest cause first; `severity` is `error` or
    `warning`; `cause` is what two facts of one root cause share, so that only the first is reported (see `cause`),
    `None` where the line tells; `event` is the index of the call that they speak of; `remedy` the kind of edit that
    mends it, `None` where no edit can; `of_any_rank` where it is one of made-up data of any number of axes, though the
    rule's other facts are not."""

    site: Site
    message: str = "message"
    why: str = "why"
    fields: dict[str, object] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    severity: str = "error"
    spans: tuple[Span, ...] = ()
    cause: Hashable = None
    event: int | None = None
    remedy: Remedy | None = None
    of_any_rank: bool = False


def distinct(origins: tuple[Origin, ...], event: Event) -> tuple[Origin, ...]:
    """Origins at other lines than the finding, each line once; the callers of the finding's line come last."""
    made, lines = [], {(event.site.file, event.site.line)}
    callers = [Origin("operator", "call", site, ()) for site in reversed(event.stack[:-1])]
    for origin in (*origins, *callers):
        if origin.site is not None and (origin.site.file, origin.site.line) not in lines:
            lines.add((origin.site.file, origin.site.line))
            made.append(origin)
    return tuple(made[:5])
