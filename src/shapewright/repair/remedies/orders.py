"""Two sides in one order: rows shuffled, sorted, repeated, flattened or moved apart."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...rules.remedy import AlignOrder
from ...trace import Event, Site
from ..candidate import Candidate, Case
from ..declared import at, in_file, within
from ..source import Place, Source
from .refold import order_of

ANSWERS = (AlignOrder,)
TITLES = {
    "as-others": {
        "en": "remove {code}, so that all operands are flattened in the same order",
        "es": "quitar {code}, para que todos los operandos se aplanen en el mismo orden",
        "ja": "{code} を取り除き、すべてのオペランドを同じ順に平坦化する",
    },
    "interleave": {
        "en": "keep the copies of a sample next to each other: {code}",
        "es": "poner juntas las copias de cada muestra: {code}",
        "ja": "同じサンプルの複製を隣り合わせに並べる: {code}",
    },
    "repeat": {
        "en": "repeat whole batches, as in the other operand: {code}",
        "es": "repetir lotes enteros, como en el otro operando: {code}",
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


@in_file
def _shuffled(case: Case, source: Source) -> Iterator[Candidate]:
    """For rows shuffled apart: the permutation of the first named once and read by both."""
    if case.facts.message == "alone":
        yield from _alone(case, source)
    first = next((site for site in case.sites[1:] if site.file == case.site.file), None)
    if first is None:
        return
    one, other = (_order(source, source.at(site, cst.Subscript)) for site in (first, case.site))
    if one is None and other is not None:  # both are put in order by one statement
        drawn = [order for order in _drawn(source, source.statement(other.line)) if order != other]
        one = next((order for order in drawn if source.text_of(order) == source.text_of(other)), None)
        first = case.site
    for site in case.sites[1:] if other is None else ():  # or by what a function gives back
        statement = source.statement(site.line) if site.file == source.file else None
        drawn = _drawn(source, statement) if statement is not None else []
        if len(drawn) == 2 and isinstance(statement.node.body[0], cst.Return):
            first, (one, other) = site, drawn if source.text_of(drawn[0]).isidentifier() else drawn[::-1]
    if one is None or other is None:
        return
    text, second, above = source.text_of(one), source.text_of(other), min(one.line, other.line)
    if text == second and text.isidentifier():  # one name, bound to another permutation in between
        for place in source.within(Place(source.module, first.line + 1, 1, case.site.line, 1), cst.SimpleStatementLine):
            if source.text_of(place).replace(" ", "").startswith(f"{text}="):
                yield Candidate("same-order", (source.removed(place),), 4, {"code": text})
    elif text.isidentifier():
        yield Candidate("same-order", (source.replace(other, text),), 4, {"code": text})
    elif (bound := source.binding(second, above)) is not None and bound.line < first.line:
        yield Candidate("same-order", (source.replace(one, second),), 5, {"code": second})
    else:
        known = {place.node.value for place in source.of_kind(cst.Name)}
        name = next(name for name in ("order", "same_order", "one_order", text) if name not in known)
        code = f"{name} = {text}"
        made = source.line_before(source.statement(above).line, code)
        edits = (made, source.replace(one, name), source.replace(other, name))
        yield Candidate("same-order", edits, 6, {"code": code})


def _drawn(source: Source, statement: Place) -> list[Place]:
    """The orders that a statement puts things in."""
    found = (_order(source, part) for part in source.within(statement, cst.Subscript))
    return [order for order in found if order is not None]


def _alone(case: Case, source: Source) -> Iterator[Candidate]:
    """One side was put in an order and the other one left as it was: that one follows, in the same order."""
    left, statement = str(case.facts.fields["targets"]), source.statement(case.site.line)
    if statement is not None and case.facts.why == "why_columns":
        yield from _columns(source, statement)
    if statement is None or not left.isidentifier():
        return
    bound = [site.line for site in case.sites[1:] if site.file == source.file and site.line > statement.line]
    below, drawn = source.statement(max(bound, default=statement.line)), _drawn(source, statement)
    orders = list(dict.fromkeys(source.text_of(part) for part in drawn))
    if len(orders) == 1 and orders[0].isidentifier():
        cut = {id(part.node.value) for part in source.within(statement, cst.Subscript)}
        beside = [
            one for one in source.within(statement, cst.Name) if one.node.value == left and id(one.node) not in cut
        ]
        for place in beside:  # handed on in the statement that puts the others in order
            code = f"{left}[{orders[0]}]"
            yield Candidate("same-order", (source.replace(place, code),), 3, {"code": code})
    if len(orders) == 1:
        named = orders[0].isidentifier()
        name, code = orders[0] if named else "order", f"order = {orders[0]}"
        first = (source.line_before(statement.line, code), *(source.replace(part, "order") for part in drawn))
        made = list(dict.fromkeys(_made_of(source, left, statement)))
        more = {*made, *(name for one in made for name in _made_of(source, one, statement))}
        doubt = "guessed" if len(more) > 1 else ""  # all that was made of it may have to follow
        for some in ((made,) if len(made) > 1 else ()) + tuple([one] for one in (*made, left)):
            lines = [f"{one} = {one}[{name}]" for one in some]
            follows = source.line_after(below, f"\n{source.indent(statement.line)}".join(lines))
            edits = (follows,) if named else (*first, follows)
            fields = {"code": "; ".join(lines) if named else code}
            yield Candidate("same-order", edits, 4 + (not named), fields, doubt=doubt)
    call = getattr(statement.node.body[0], "value", None)
    if isinstance(call, cst.Call) and len(call.args) == 1 and isinstance(call.func, cst.Attribute):
        moved, owner = source.code(call.args[0].value), source.code(call.func.value)
        if moved.isidentifier() and call.func.attr.value == "shuffle":
            order, place = f"order = {owner}.permutation(len({moved}))", source.place(call)
            made = f"{order}\n{source.indent(place.line)}{moved}, {left} = {moved}[order], {left}[order]"
            yield Candidate("same-order", (source.replace(place, made),), 5, {"code": order})


def _columns(source: Source, statement: Place) -> Iterator[Candidate]:
    """`pairs[order, 0], pairs[order, 1]` for `pairs[:, 0], pairs[order, 1]`."""
    cuts = list(source.within(statement, cst.Subscript))
    drawn = {source.text_of(order) for order in _drawn(source, statement)}
    owners = {source.code(cut.node.value) for cut in cuts if _order(source, cut) is not None}
    for cut in cuts if len(drawn) == 1 else ():
        whole = cut.node.slice[0].slice
        if isinstance(whole, cst.Slice) and not (whole.lower or whole.upper) and source.code(cut.node.value) in owners:
            (order,) = drawn
            yield Candidate("same-order", (source.replace(source.place(whole), order),), 3, {"code": order})


def _made_of(source: Source, name: str, before: Place) -> Iterator[str]:
    """What was bound above a statement, in its function, to a value that reads a name; the nearest first."""
    scope = source.scope(before.line)
    for one in sorted(source.of_kind(cst.Assign), key=lambda place: -place.line):
        target = one.node.targets[0].target
        if one.end_line < before.line and isinstance(target, cst.Name) and source.scope(one.line) is scope:
            if name in {part.node.value for part in source.within(source.place(one.node.value), cst.Name)}:
                yield target.value


@in_file
def _sorted(case: Case, source: Source) -> Iterator[Candidate]:
    """The order of the finding's indexing, also for what the loss compares its rows with: in the loss, or where the
    function that sorted them hands them on."""
    order, call = _order(source, source.at(case.site, cst.Subscript)), source.at(case.remedy.site, cst.Call)
    text, scope = source.text_of(order) if order is not None else "", source.scope(case.site.line)
    if not text.isidentifier():
        return
    given = [source.place(argument.value) for argument in call.node.args[:2]] if call is not None else []
    beside = scope is source.scope(case.remedy.site.line)
    places = [(place, 4 + rank) for rank, place in enumerate(reversed(given)) if beside]
    for back in source.within(scope, cst.Return) if scope is not None else ():
        named = enumerate(source.within(back, cst.Name))
        places += [(place, 6 + rank) for rank, place in named if place.node.value != text]
    for place, rank in places:
        yield Candidate("same-order", (source.suffix(place, f"[{text}]"),), rank, {"code": text})


def _order(source: Source, place: Place | None) -> Place | None:
    """What an indexing puts rows in the order of."""
    if place is None or not place.node.slice or not isinstance(place.node.slice[0].slice, cst.Index):
        return None
    return source.place(place.node.slice[0].slice.value)


def _flattened(case: Case) -> Iterator[Candidate]:
    """For sides flattened in other orders, at each side's own `reshape`; predictions first, since targets are read
    elsewhere too."""
    for index, site in enumerate(dict.fromkeys([case.remedy.site] if case.remedy.site else case.sites[1:])):
        for source, place in case.found(site, cst.Call, method=True):
            func = place.node.func
            if not ops.is_a(func.attr.value, "folds") or source.code(func.value).strip() == "torch":
                continue
            inner, code = source.place(func.value), ".transpose(0, 1)"
            whole = Place(place.node, inner.end_line, inner.end_column, place.end_line, place.end_column)
            rest = source.text_of(whole).lstrip(") \n")
            rest = rest.replace(".view", ".reshape", 1) if func.attr.value == "view" else rest
            for turned in (code, ".t()", ".T"):
                if source.text_of(inner).endswith(turned):  # turned once too often
                    edit = source.replace(place, source.text_of(inner)[: -len(turned)] + rest)
                    yield Candidate("as-others", (edit,), 3, {"code": turned})
            edit = source.replace(place, source.suffix(inner, code).replacement + rest)
            yield Candidate("move-first", (edit,), 4 + index, {"code": code})


@within(cst.Call)
def _copied(case: Case, source: Source, place: Place, site: Site) -> Iterator[Candidate]:
    """On the lines that made the copies."""
    func, plain = place.node.func, [source.text_of(source.place(a.value)) for a in place.node.args]
    name = func.attr.value if isinstance(func, cst.Attribute) and plain else ""
    receiver = source.atom(source.place(func.value)) if name else ""
    if name == "repeat" and all(text == "1" for text in plain[1:]):
        edit = source.replace(place, f"{receiver}.repeat_interleave({plain[0]}, dim=0)")
        yield Candidate("interleave", (edit,), 8, {"code": "repeat_interleave"})
    elif name == "repeat_interleave":
        repeated = (event for event in case.trace.events if event.op == name and event.site and event.args)
        ranks = (event.args[0].rank for event in repeated if event.site.line == site.line)
        edit = source.replace(place, f"{receiver}.repeat({plain[0]}{', 1' * (max(ranks, default=1) - 1)})")
        doubt = "guessed" if any(map(_regrouped, case.trace.events)) else ""
        yield Candidate("repeat", (edit,), 10, {"code": "repeat"}, doubt=doubt)


def _regrouped(event: Event) -> bool:
    """Whether a view reads the copies of each sample in the other order than they were made in: then it may be its
    sizes that are exchanged."""
    given, made = next(iter(operands(event)), None), event.result
    if not ops.is_a(event.op, "views") or given is None or given.rank != 1 or not given.axes:
        return False
    sizes = tuple(size for _, size in given.axes[0].uids if size > 1)
    return len(set(sizes)) == 2 == len(sizes) and getattr(made, "shape", ()) == sizes[::-1]


@at(cst.Call, method=True)
def _moved(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """For an array whose axes were not moved."""
    old, new = case.remedy.old, case.remedy.new
    order, inner = order_of(list(old), list(new)) if len(old) == len(new) else None, source.operand(call)
    if order is not None and inner is not None:
        moved = ".T" if len(old) == 2 else f".transpose({', '.join(map(str, order))})"
        for code, rank in ((moved, 3), (moved + ".copy()", 6)):
            yield Candidate("permute", (source.replace(call, source.atom(inner) + code),), rank, {"code": code})


KINDS = {"array": _moved, "flatten": _flattened, "repeat": _copied, "shuffle": _shuffled, "sorted": _sorted}
