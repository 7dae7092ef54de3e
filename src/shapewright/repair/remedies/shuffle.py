"""Samples and targets put in the order of one permutation."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import AlignOrder
from ...trace import Site
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (AlignOrder,)
TITLES = {
    "same-order": {
        "en": "shuffle both with the same permutation: {code}",
        "es": "barajar ambos con la misma permutación: {code}",
        "ja": "両方を同じ順列で並べ替える: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For rows shuffled apart: the permutation of the first named once and read by both."""
    source = case.source(case.site.file)
    if case.remedy.kind == "sorted" and source is not None:
        yield from _sorted(case, source)
    if case.remedy.kind != "shuffle" or source is None:
        return
    if case.facts.message == "alone":
        yield from _alone(case, source)
    first = next(
        (
            origin.site
            for origin in case.facts.origins
            if origin.site is not None and origin.site.file == case.site.file
        ),
        None,
    )
    if source is None or first is None:
        return
    one, other = _order(source, first), _order(source, case.site)
    if one is None or other is None:
        return
    text, second = source.text_of(one), source.text_of(other)
    if text == second and text.isidentifier():  # one name, bound to another permutation in between
        for place in source.within(Place(source.module, first.line + 1, 1, case.site.line, 1), cst.SimpleStatementLine):
            if source.text_of(place).replace(" ", "").startswith(f"{text}="):
                yield Candidate("same-order", (source.remove_line(place.line),), 4, {"code": text})
    elif text.isidentifier():
        yield Candidate("same-order", (source.replace(other, text),), 4, {"code": text})
    elif (bound := source.binding(second, min(first.line, case.site.line))) is not None and bound.line < first.line:
        yield Candidate("same-order", (source.replace(one, second),), 5, {"code": second})
    elif "order" not in source.text.split():
        above = source.statement(min(first.line, case.site.line))
        edits = (
            source.line_before(above.line, f"order = {text}"),
            source.replace(one, "order"),
            source.replace(other, "order"),
        )
        yield Candidate("same-order", edits, 6, {"code": f"order = {text}"})


def _alone(case: Case, source: Source) -> Iterator[Candidate]:
    """One side was put in an order and the other one left as it was: that one follows, in the same order."""
    left, statement = str(case.facts.fields["targets"]), source.statement(case.site.line)
    if statement is None or not left.isidentifier():
        return
    bound = [origin.site.line for origin in case.facts.origins if origin.site and origin.site.file == source.file]
    below = source.statement(max([line for line in bound if line > statement.line], default=statement.line))
    drawn = [
        part
        for one in source.within(statement, cst.Subscript)
        if (part := _order(source, Site(source.file, one.line, one.column, one.end_line, one.end_column))) is not None
    ]
    orders = list(dict.fromkeys(source.text_of(part) for part in drawn))
    if len(orders) == 1 and orders[0].isidentifier():
        edit = source.line_after(below, f"{left} = {left}[{orders[0]}]", source.indent(statement.line))
        yield Candidate("same-order", (edit,), 4, {"code": edit.replacement.strip()})
    elif len(orders) == 1:
        edits = (
            source.line_before(statement.line, f"order = {orders[0]}"),
            *(source.replace(part, "order") for part in drawn),
            source.line_after(below, f"{left} = {left}[order]", source.indent(statement.line)),
        )
        yield Candidate("same-order", edits, 5, {"code": f"order = {orders[0]}"})
    call = (
        statement.node.body[0].value if isinstance(getattr(statement.node.body[0], "value", None), cst.Call) else None
    )
    if call is not None and len(call.args) == 1 and isinstance(call.func, cst.Attribute):
        moved, library = source.code(call.args[0].value), source.code(call.func.value)
        if moved.isidentifier() and call.func.attr.value == "shuffle":
            order = f"order = {library}.permutation(len({moved}))"
            place = source.place(call)
            made = f"{order}\n{source.indent(place.line)}{moved}, {left} = {moved}[order], {left}[order]"
            yield Candidate("same-order", (source.replace(place, made),), 5, {"code": order})


def _sorted(case: Case, source: Source) -> Iterator[Candidate]:
    """The order of the finding's indexing, also for what the loss compares its rows with: in the loss, or where the
    function that sorted them hands them on."""
    order = _order(source, case.site)
    text = source.text_of(order) if order is not None else ""
    call = source.at(case.remedy.site, cst.Call)
    given = [source.place(argument.value) for argument in call.node.args[:2]] if call is not None else []
    if not text.isidentifier():
        return
    if source.scope(case.site.line) is source.scope(case.remedy.site.line):
        for rank, place in enumerate(reversed(given)):
            yield Candidate("same-order", (source.suffix(place, f"[{text}]"),), 4 + rank, {"code": text})
    scope = source.scope(case.site.line)
    for back in source.within(scope, cst.Return) if scope is not None else ():
        for rank, place in enumerate(source.within(back, cst.Name)):
            if place.node.value != text:
                yield Candidate("same-order", (source.suffix(place, f"[{text}]"),), 6 + rank, {"code": text})


def _order(source: Source, site: Site) -> Place | None:
    """What an indexing puts rows in the order of."""
    place = source.at(site, cst.Subscript)
    if place is None or not place.node.slice or not isinstance(place.node.slice[0].slice, cst.Index):
        return None
    return source.place(place.node.slice[0].slice.value)
