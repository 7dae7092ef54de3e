"""What a repair must keep to mean what the author meant: one invariant a file, found by discovery, asked of every
kind of edit.

A repaired run is compared with what the author's code asks for. What is broken makes a repair unsafe, and is the reason
that the page gives. Nothing is run here and nothing is edited.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from types import ModuleType

from ...dataclass import dataclass
from .change import Change


@dataclass(frozen=True)
class Broken:
    """An invariant that a repair breaks: `kind` names an entry of the invariant's `TEXTS`, filled from `fields`."""

    kind: str
    fields: dict[str, str | int]

    def text(self, lang: str) -> str:
        """The reason, as the page shows it."""
        return texts()[self.kind][lang].format(**self.fields)


@functools.cache
def invariants() -> tuple[ModuleType, ...]:
    """Every module of this folder that asks something."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return tuple(module for module in modules if hasattr(module, "broken"))


@functools.cache
def texts() -> dict[str, dict[str, str]]:
    """The reasons of all invariants, by language."""
    return {kind: text for module in invariants() for kind, text in module.TEXTS.items()}


def broken(change: Change) -> Broken | None:
    """The first invariant that a repair breaks; `None` where it keeps all of them."""
    for module in invariants():
        found = next(iter(module.broken(change)), None)
        if found is not None:
            return Broken(*found)
    return None
