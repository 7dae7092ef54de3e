"""The answer of one probe of a captured model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .site import Site


@dataclass(frozen=True, slots=True)
class ProbeFact:
    """`question` is the probe's slug (`batch-independence`, `batch-of-one`, `padding-invariance`, `causality`,
    `pairing`,
    `gradient-reach`); `holds` its answer (`None`: could not be asked, `data['why']` says why); `module` the uid of the
    model;
    `site` the first operator at which the answer turned; `data` the numbers that a diagnosis shows."""

    question: str
    holds: bool | None
    module: int = -1
    site: Site | None = None
    stack: tuple[Site, ...] = ()
    event: int = -1
    data: dict[str, Any] = field(default_factory=dict)
