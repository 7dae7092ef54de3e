"""How a run ended."""

from __future__ import annotations

from dataclasses import field

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True)
class Outcome:
    """`state` is `complete`, `stopped` (at a fault) or `incomplete`; `reason` is a slug with texts in
    `report/outcomes.py` (`timeout`, `memory`, `syntax-error`, `missing-file`, `not-utf8`, `exit`, `killed`, `exception`
    ...), `fields` its values."""

    state: str
    reason: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    site: Site | None = None
