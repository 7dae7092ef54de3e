"""Names that a call's values or a loader's batches are unpacked into, in another order: `x, y` for `y, x`; what a
function returns, likewise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from ...graph.flow import operands
from ...rules.remedy import Misfit, Recast
from ...trace import Site
from ..candidate import Candidate, Case
from ..operands import written
from ..source import Place, Source

ANSWERS = (Misfit, Recast)
MOST = 3  # names that are unpacked together
TITLES = {
    "bound-order": {
        "en": "unpack the values in the order in which they are returned: {code}",
        "es": "desempaquetar los valores en el orden en que se devuelven: {code}",
        "ja": "値を、返される順に受け取る: {code}",
    },
    "returned-order": {
        "en": "return the values in the order in which they are unpacked: {code}",
        "es": "devolver los valores en el orden en que se desempaquetan: {code}",
        "ja": "値を、受け取られる順に返す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Every order of the names that the lines which led to the error read, that of a `return` first; and of what a
    `return` gives as many of."""
    seen, orders = set[tuple](), set[tuple[int, ...]]()
    for near, site in enumerate(reversed(case.failure.stack)):
        source, statement = case.statement(site)
        for target in _targets(source, statement, site) if statement is not None else ():
            if (key := (source.file, target.line, target.column)) not in seen:
                seen.add(key)
                for order, candidate in _bound(case, source, target, 12 + 2 * near):
                    orders.add(order)
                    yield candidate
    for source in case.files():
        for back in _returned(source):
            parts = _parts(source, back)
            for order in (order for order in _orders(parts) if order in orders):
                yield _ordered(source, parts, order, 19, "returned-order")


def _targets(source: Source, statement: Place, site: Site) -> Iterator[Place]:
    """The tuples of names that bind a name of the statement: nearest above it in its function, or in a loop around."""
    read = {place.node.value for place in source.within(statement, cst.Name)}
    around = [source.place(loop.node.target) for loop in source.enclosing(site.line, cst.For)]
    scope = source.scope(site.line)
    above = [
        source.place(assign.node.targets[0].target)
        for assign in source.of_kind(cst.Assign)
        if assign.line < site.line and isinstance(assign.node.value, cst.Call) and source.scope(assign.line) is scope
    ]
    for place in (*around, *reversed(above)):
        for inner in source.within(place, cst.Tuple):
            names = _parts(source, inner)
            if all(isinstance(part.node, cst.Name) for part in names) and read & {part.node.value for part in names}:
                yield inner


def _parts(source: Source, target: Place) -> list[Place]:
    return [source.place(element.value) for element in target.node.elements]


def _returned(source: Source) -> Iterator[Place]:
    """The tuples that functions return."""
    values = (back.node.value for back in source.of_kind(cst.Return))
    return (source.place(value) for value in values if isinstance(value, cst.Tuple))


def _orders(parts: list[Place]) -> list[tuple[int, ...]]:
    return list(itertools.permutations(range(len(parts))))[1:] if len(parts) <= MOST else []


def _bound(case: Case, source: Source, target: Place, rank: int) -> Iterator[tuple[tuple[int, ...], Candidate]]:
    """The orders that give a name a value of another shape, each with its edit."""
    parts = _parts(source, target)
    names = [source.text_of(part) for part in parts]
    here = source.file, target.line
    known = {name: shape for at, name, shape in case.trace.bindings if (at.file, at.line) == here}
    returned = [[source.text_of(part) for part in _parts(source, back)] for back in _returned(source)]
    tuples = (
        other for other in source.of_kind(cst.Tuple) if (other.line, other.column) != (target.line, target.column)
    )
    bound = {one.name: one.fact for one in case.trace.bound if (one.site.file, one.site.line) == here}
    facts = {name: (fact.rank, fact.dtype) for name, fact in bound.items()}
    taken = {fact.uid for event in case.trace.events if event.modules for fact in operands(event)}
    read = {name for name, fact in bound.items() if fact.uid in taken}
    wanted, odd = case.misfit.wanted_shape, {one.text for one in written(case) if one.fact.sizes == case.misfit.shape}
    packed = [[source.text_of(part) for part in _parts(source, other)] for other in tuples]
    packed = [texts for texts in packed if len(texts) == len(names)]  # what is put together in the order that is read
    for order in _orders(parts):
        new = [names[at] for at in order]
        refused = [at for at, name in enumerate(new) if wanted and name in odd]
        if any(known.get(names[at], wanted) != wanted for at in refused):
            continue  # what is refused has another shape than the call asks for, then as now
        if any(old != name and name in read and facts.get(old) != facts.get(name) for old, name in zip(names, new)):
            continue  # a layer has taken what the name holds, and would be given another kind
        if len({known.get(old) for old, name in zip(names, new) if old != name}) > 1:  # else the error stays
            as_returned = max((sum(map(str.__eq__, new, back)) for back in returned), default=0)
            made = _ordered(source, parts, order, rank - as_returned, "bound-order")
            against = [sum(map(str.__eq__, names, one)) > sum(map(str.__eq__, new, one)) for one in packed]
            yield order, replace(made, doubt="guessed") if any(against) else made


def _ordered(source: Source, parts: list[Place], order: tuple[int, ...], rank: int, title: str) -> Candidate:
    first, last = parts[0], parts[-1]
    code = ", ".join(source.text_of(parts[at]) for at in order)
    whole = Place(first.node, first.line, first.column, last.end_line, last.end_column)
    return Candidate(title, (source.replace(whole, code),), rank, {"code": code})
