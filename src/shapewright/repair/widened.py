"""A candidate at every place where the same thing is written: a fault that was written several times is one fault."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

import libcst as cst

from ..diagnosis.model import Edit
from .candidate import Candidate, Case
from .source import Place, Source


def everywhere(case: Case, found: Iterable[Candidate]) -> list[Candidate]:
    """Candidates widened to every place where the same expression is written; those that stand alone are left out."""
    made = (_widened(case, candidate, alike) for candidate in found)
    return [candidate for candidate in made if candidate is not None]


def kindred(case: Case, candidate: Candidate) -> list[Candidate]:
    """A candidate widened to every call of the same method with the same arguments, whatever it is called on."""
    made = _widened(case, candidate, same_call)
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


def alike(source: Source, edit: Edit) -> list[Edit]:
    """The same replacement wherever the same expression is written, `edit` itself left out."""
    own = (edit.line, edit.column, edit.end_line, edit.end_column)
    text = source.text_of(Place(source.module, *own))
    kind = next(
        (
            type(p.node)
            for p in source.places
            if (p.line, p.column, p.end_line, p.end_column) == own and isinstance(p.node, cst.BaseExpression)
        ),
        None,
    )
    if kind is cst.Integer:
        return [source.replace(place, edit.replacement) for place in _same_argument(source, own, text)]
    if kind is None or len(text) < 8:
        return []
    found = [
        p
        for p in source.places
        if type(p.node) is kind and (p.line, p.column, p.end_line, p.end_column) != own and source.text_of(p) == text
    ]
    return [source.replace(place, edit.replacement) for place in found]


def same_call(source: Source, edit: Edit) -> list[Edit]:
    """The same change of a method's arguments wherever it is called with the same ones, `edit` itself left out."""
    own = (edit.line, edit.column, edit.end_line, edit.end_column)
    calls = [
        (place, source.place(place.node.func.value), source.text_of(place))
        for place in source.of_kind(cst.Call)
        if isinstance(place.node.func, cst.Attribute)
    ]
    mine = next((c for c in calls if (c[0].line, c[0].column, c[0].end_line, c[0].end_column) == own), None)
    called = source.text_of(mine[1]) if mine is not None else ""
    if mine is None or not edit.replacement.startswith(called + "."):
        return []
    tail, new = mine[2][len(called) :], edit.replacement[len(called) :]
    return [
        source.replace(place, source.text_of(on) + new)
        for place, on, text in calls
        if text == source.text_of(on) + tail and place is not mine[0]
    ]


def _same_argument(source: Source, own: tuple[int, int, int, int], text: str) -> list[Place]:
    """The same number at the same place of other calls of the same function in the same body."""
    given = [
        (call, at, source.place(argument.value))
        for call in source.of_kind(cst.Call)
        for at, argument in enumerate(call.node.args)
        if isinstance(argument.value, cst.Integer) and source.text_of(source.place(argument.value)) == text
    ]
    mine = next(((call, at) for call, at, p in given if (p.line, p.column, p.end_line, p.end_column) == own), None)
    if mine is None:
        return []
    name, scope = source.code(mine[0].node.func), source.scope(own[0])
    alike = [(call, place) for call, at, place in given if call is not mine[0] and at == mine[1]]
    return [p for call, p in alike if source.code(call.node.func) == name and source.scope(p.line) is scope]
