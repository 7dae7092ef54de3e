"""Finds the description of a public data set by its name and configuration."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ....dataclass import dataclass

_TABLES = Path(__file__).parent / "tables"


@dataclass(frozen=True)
class SetDescription:
    """`columns` maps a column to its kind (see `rows`), `splits` a split to its number of made-up rows."""

    name: str
    columns: dict[str, Any]
    splits: dict[str, int]


@cache
def _all() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(_TABLES.glob("*.toml")):
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for alias in (name, *entry.get("aliases", ())):
                found[alias] = entry
    return found


def find_set(name: str, configuration: str | None = None) -> SetDescription | None:
    """The set called `name`, or `None`. A configuration that has columns of its own wins over the set's."""
    entry = _all().get(name)
    if entry is None:
        return None
    configured = entry.get("configurations", {})
    if configured and configuration is not None and configuration not in configured:
        return None
    own = configured.get(configuration or next(iter(configured), ""), {})
    return SetDescription(name, own.get("columns") or entry["columns"], own.get("splits") or entry["splits"])
