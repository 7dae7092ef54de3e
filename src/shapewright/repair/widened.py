"""A candidate at every place where the same thing is written: a fault that was written several times is one fault."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

from ..diagnosis.model import Edit
from .candidate import Candidate, Case
from .source import Source


def everywhere(case: Case, found: Iterable[Candidate]) -> list[Candidate]:
    """Candidates widened to every place where the same expression is written; those that stand alone are left out."""
    made = (_widened(case, candidate, Source.alike) for candidate in found)
    return [candidate for candidate in made if candidate is not None]


def kindred(case: Case, candidate: Candidate) -> list[Candidate]:
    """A candidate widened to every call of the same method with the same arguments, whatever it is called on."""
    made = _widened(case, candidate, Source.kindred)
    return [made] if made is not None else []


def _widened(case: Case, candidate: Candidate, places: Callable[[Source, Edit], list[Edit]]) -> Candidate | None:
    own = {(edit.file, edit.line, edit.column) for edit in candidate.edits}
    more = {
        (other.file, other.line, other.column): other
        for edit in candidate.edits
        if (source := case.source(edit.file)) is not None
        for other in places(source, edit)
    }
    added = [edit for place, edit in more.items() if place not in own]
    return dataclasses.replace(candidate, edits=(*candidate.edits, *added)) if added else None
