"""Two sides in one order: rows shuffled, sorted, repeated, flattened or moved apart."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import AlignOrder
from ..candidate import Candidate, Case
from ..source import Place, Source
from .refold import order_of

ANSWERS = (AlignOrder,)
TITLES = {
    "as-others": {
        "en": "flatten the table like the others, without {code}",
        "es": "aplanar la tabla como las demás, sin {code}",
        "ja": "{code} を外し、表をほかと同じ順に平坦化する",
    },
    "interleave": {
        "en": "keep the copies of a sample next to each other: {code}",
        "es": "poner juntas las copias de cada muestra: {code}",
        "ja": "同じサンプルの複製を隣り合わせに並べる: {code}",
    },
    "repeat": {
        "en": "repeat whole batches, as the other operand does: {code}",
        "es": "repetir lotes enteros, como el otro operando: {code}",
        "ja": "もう一方と同じくバッチごと繰り返す: {code}",
    },
    "same-order": {
        "en": "give samples and targets the same order: {code}",
        "es": "dar el mismo orden a muestras y objetivos: {code}",
        "ja": "サンプルとターゲットを同じ順序にする: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """By the way in which the two sides came to be in two orders."""
    if case.remedy.kind in KINDS:
        yield from KINDS[case.remedy.kind](case)


def _shuffled(case: Case) -> Iterator[Candidate]:
    """For rows shuffled apart: the permutation of the first named once and read by both."""
    source = case.source(case.site.file)
    if source is None:
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
    if first is None:
        return
    one, other = (_order(source, source.at(site, cst.Subscript)) for site in (first, case.site))
    if one is None and other is not None:  # both are put in order by one statement
        beside = source.within(source.statement(other.line), cst.Subscript)
        drawn = [order for part in beside if (order := _order(source, part)) is not None and order != other]
        one = next((order for order in drawn if source.text_of(order) == source.text_of(other)), None)
        first = case.site
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
    else:
        above = source.statement(min(first.line, case.site.line))
        known = {place.node.value for place in source.of_kind(cst.Name)}
        name = next(name for name in ("order", "same_order", "one_order", text) if name not in known)
        code = f"{name} = {text}"
        edits = (source.line_before(above.line, code), source.replace(one, name), source.replace(other, name))
        yield Candidate("same-order", edits, 6, {"code": code})


def _alone(case: Case, source: Source) -> Iterator[Candidate]:
    """One side was put in an order and the other one left as it was: that one follows, in the same order."""
    left, statement = str(case.facts.fields["targets"]), source.statement(case.site.line)
    if statement is None or not left.isidentifier():
        return
    bound = [origin.site.line for origin in case.facts.origins if origin.site and origin.site.file == source.file]
    below = source.statement(max([line for line in bound if line > statement.line], default=statement.line))
    drawn = [part for one in source.within(statement, cst.Subscript) if (part := _order(source, one)) is not None]
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
    call = getattr(statement.node.body[0], "value", None)
    if isinstance(call, cst.Call) and len(call.args) == 1 and isinstance(call.func, cst.Attribute):
        moved, owner = source.code(call.args[0].value), source.code(call.func.value)
        if moved.isidentifier() and call.func.attr.value == "shuffle":
            order = f"order = {owner}.permutation(len({moved}))"
            place = source.place(call)
            made = f"{order}\n{source.indent(place.line)}{moved}, {left} = {moved}[order], {left}[order]"
            yield Candidate("same-order", (source.replace(place, made),), 5, {"code": order})


def _sorted(case: Case) -> Iterator[Candidate]:
    """The order of the finding's indexing, also for what the loss compares its rows with: in the loss, or where the
    function that sorted them hands them on."""
    source = case.source(case.site.file)
    if source is None:
        return
    order = _order(source, source.at(case.site, cst.Subscript))
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


def _order(source: Source, place: Place | None) -> Place | None:
    """What an indexing puts rows in the order of."""
    if place is None or not place.node.slice or not isinstance(place.node.slice[0].slice, cst.Index):
        return None
    return source.place(place.node.slice[0].slice.value)


def _flattened(case: Case) -> Iterator[Candidate]:
    """For sides flattened in other orders, at each side's own `reshape`; predictions first, since targets are read
    elsewhere too."""
    sites = [case.remedy.site] if case.remedy.site else [origin.site for origin in case.facts.origins if origin.site]
    for index, site in enumerate(dict.fromkeys(sites)):
        source, place = case.at(site, cst.Call)
        func = place.node.func if place is not None else None
        if (
            not isinstance(func, cst.Attribute)
            or not ops.is_a(func.attr.value, "folds")
            or (isinstance(func.value, cst.Name) and func.value.value == "torch")
        ):
            continue
        inner = source.place(func.value)
        rest = source.text_of(
            Place(place.node, inner.end_line, inner.end_column, place.end_line, place.end_column)
        ).lstrip(") \n")
        if func.attr.value == "view":
            rest = rest.replace(".view", ".reshape", 1)
        code = ".transpose(0, 1)"
        for turned in (code, ".t()", ".T"):
            if source.text_of(inner).endswith(turned):  # turned once too often
                yield Candidate(
                    "as-others",
                    (source.replace(place, source.text_of(inner)[: -len(turned)] + rest),),
                    3,
                    {"code": turned},
                )
        yield Candidate(
            "move-first",
            (source.replace(place, source.suffix(inner, code).replacement + rest),),
            4 + index,
            {"code": code},
        )


def _copied(case: Case) -> Iterator[Candidate]:
    """On the lines that made the copies."""
    for site, source, statement in case.simple(case.sites):
        for place in source.within(statement, cst.Call):
            if not isinstance(place.node.func, cst.Attribute):
                continue
            name = place.node.func.attr.value
            plain = [source.text_of(source.place(a.value)) for a in place.node.args]
            receiver = source.atom(source.place(place.node.func.value))
            if name == "repeat" and plain and all(text == "1" for text in plain[1:]):
                yield Candidate(
                    "interleave",
                    (source.replace(place, f"{receiver}.repeat_interleave({plain[0]}, dim=0)"),),
                    8,
                    {"code": "repeat_interleave"},
                )
            elif name == "repeat_interleave" and plain:
                rank = max((fact.rank for fact in _shapes(case, site)), default=1)
                ones = ", 1" * (rank - 1)
                yield Candidate(
                    "repeat", (source.replace(place, f"{receiver}.repeat({plain[0]}{ones})"),), 10, {"code": "repeat"}
                )


def _shapes(case: Case, site):
    for event in case.trace.events:
        if event.site is not None and event.site.line == site.line and event.op == "repeat_interleave" and event.args:
            yield event.args[0]


def _moved(case: Case) -> Iterator[Candidate]:
    """For an array whose axes were not moved."""
    source, call = case.at(case.site, cst.Call)
    old, new = case.remedy.old, case.remedy.new
    order = order_of(list(old), list(new)) if len(old) == len(new) else None
    if call is None or order is None or not isinstance(call.node.func, cst.Attribute):
        return
    free = library(source.text, source.text_of(source.place(call.node.func))) == "numpy"
    inner = source.place(call.node.args[0].value if free else call.node.func.value)
    moved = ".T" if len(old) == 2 else f".transpose({', '.join(map(str, order))})"
    yield Candidate("permute", (source.replace(call, source.atom(inner) + moved),), 3, {"code": moved})
    yield Candidate(
        "permute", (source.replace(call, source.atom(inner) + moved + ".copy()"),), 6, {"code": moved + ".copy()"}
    )


KINDS = {"array": _moved, "flatten": _flattened, "repeat": _copied, "shuffle": _shuffled, "sorted": _sorted}
