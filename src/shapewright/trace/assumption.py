"""What a run made up: a stand-in, a value, a cut loop, a refused action."""

from __future__ import annotations

from dataclasses import field

from ..dataclass import dataclass
from .site import Site


@dataclass(frozen=True)
class Assumption:
    """`kind` is a slug with texts in `report/assumptions.py`; `fields` are the named values that its text uses."""

    kind: str
    fields: dict[str, str] = field(default_factory=dict)
    site: Site | None = None
