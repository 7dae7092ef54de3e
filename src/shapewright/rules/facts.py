"""What a rule returns: typed facts, never prose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..trace import Origin, Site
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
    language);
    `origins` say where each offending axis came from, nearest cause first; `severity` is `error` or `warning`; `cause`
    is a key that
    two facts of one root cause share, so that only the first is reported; `event` is the index of the call that they
    speak of; `remedy` the kind of edit that mends it, `None` where no edit can."""

    site: Site
    message: str = "message"
    why: str = "why"
    fields: dict[str, Any] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    severity: str = "error"
    spans: tuple[Span, ...] = ()
    cause: str = ""
    event: int | None = None
    remedy: Remedy | None = None
