"""Collects what a run makes up. The texts of the kinds stand in `report/assumptions.py`."""

from __future__ import annotations

from ...trace import Assumption, Site


class Assumptions:
    """A list of `Assumption`s in which equal ones stand once."""

    def __init__(self) -> None:
        self._seen: dict[tuple, Assumption] = {}

    def add(self, kind: str, *, site: Site | None = None, **fields: object) -> None:
        """Note one assumption; `fields` are turned into text."""
        texts = {name: str(value) for name, value in fields.items()}
        key = (kind, tuple(sorted(texts.items())), site.line if site else 0, site.file if site else "")
        self._seen.setdefault(key, Assumption(kind, texts, site))

    def all(self) -> tuple[Assumption, ...]:
        """What was noted, in order."""
        return tuple(self._seen.values())
