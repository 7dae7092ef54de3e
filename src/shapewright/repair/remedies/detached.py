"""What one network hands to another's loss taken off its graph: a generator's output, an advantage, a recurrent
state."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ..candidate import Candidate, Case
from ..source import Place, Source

SLUGS = ("other-loss-in-gradients", "advantage-carries-gradient", "state-carries-its-graph")


def propose(case: Case) -> Iterator[Candidate]:
    """At the call or product that the finding names."""
    slug = case.finding.slug
    source = case.source(case.site.file) if slug in SLUGS else None
    place = source.at(case.site) if source else None
    if place is None:
        return
    for name in _names(source, place, slug, str(case.facts.fields.get("name", ""))):
        text = source.text_of(name)
        yield Candidate("detached", (source.replace(name, f"{text}.detach()"),), 3, {"code": f"{text}.detach()"})
        if slug == "state-carries-its-graph":
            several = f"tuple(part.detach() for part in {text})"
            yield Candidate("detached", (source.replace(name, several),), 4, {"code": several})


def _names(source: Source, place: Place, slug: str, weight: str) -> Iterator[Place]:
    """The operands that may be taken off their graph."""
    node = place.node
    if isinstance(node, cst.Call):
        bound = _bound(source, place) if slug == "state-carries-its-graph" else None
        for argument in node.args:
            if isinstance(argument.value, (cst.Name, cst.Attribute)) and (
                bound is None or source.text_of(source.place(argument.value)) in bound
            ):
                yield source.place(argument.value)
    elif isinstance(node, cst.BinaryOperation):
        sides = [source.place(side) for side in (node.left, node.right) if isinstance(side, (cst.Name, cst.Attribute))]
        yield from (side for side in sides if source.text_of(side) == weight)  # never the log-probability


def _bound(source: Source, place: Place) -> set[str]:
    """The names that the statement around a call binds: the state is given in and comes out."""
    statement = source.statement(place.line)
    found: set[str] = set()
    for part in source.within(statement, cst.AssignTarget) if statement is not None else ():
        found |= {name.strip(" ()") for name in source.text_of(part).rstrip("= ").split(",")}
    return found
