"""Proposers: one kind of edit a file, found by discovery. Each yields candidates and runs nothing."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator

from ..candidate import Candidate, Case


@functools.cache
def proposers() -> tuple[Callable[[Case], Iterator[Candidate]], ...]:
    """The `propose` function of every module in this folder."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return tuple(module.propose for module in modules if hasattr(module, "propose"))


def candidates(case: Case, errors: list[Exception] | None = None) -> list[Candidate]:
    """All candidates for a finding, each edit once, the most promising first."""
    found: dict[tuple, Candidate] = {}
    for propose in proposers():
        try:
            for candidate in propose(case):
                known = found.get(candidate.key)
                if known is None or (candidate.rank, candidate.tempting) < (known.rank, known.tempting):
                    found[candidate.key] = candidate
        except (IndexError, AttributeError, TypeError, ValueError, KeyError) as error:
            if errors is not None:
                errors.append(error)  # a proposer that stumbles over unusual code proposes nothing
    return sorted(found.values(), key=lambda candidate: (candidate.rank, candidate.size))
