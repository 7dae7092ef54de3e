"""Two arguments, or the two sides of a difference, put the other way round."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import TARGET_LOSSES, counts_samples, operands, sample_uids
from ...graph.imports import library
from ...graph.scopes import RECEIVERS
from ...graph.training import ancestors
from ...rules.remedy import Misfit, SwapSides
from ..candidate import Candidate, Case
from ..operands import Operand, written
from ..source import Place, Source
from .constructor import refused

ANSWERS = (SwapSides, Misfit)
MOST = 4  # arguments of a call of which two may be exchanged
READ = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)
NEAR = 12  # calls before the refused one that are looked at
TITLES = {
    "swap": {
        "en": "swap the two values: {code}",
        "es": "intercambiar los dos valores: {code}",
        "ja": "2 つの値を入れ替える: {code}",
    },
    "swap-sizes": {
        "en": "swap the two sizes of {module}: {code}",
        "es": "intercambiar los dos tamaños de {module}: {code}",
        "ja": "{module} の 2 つのサイズを入れ替える: {code}",
    },
    "sign": {
        "en": "flip the sign",
        "es": "cambiar el signo",
        "ja": "符号を反転する",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For findings that a ranking's order is swapped, a loss that was given its target first, a product."""
    if isinstance(case.remedy, Misfit):
        yield from _target_first(case)
        yield from _product(case)
        yield from _sums_samples(case)
        yield from _sizes(case)
        yield from _called(case)
        return
    if case.remedy.kind in ("hinge", "copy"):
        yield from _hinge(case) if case.remedy.kind == "hinge" else _copied(case)
        return
    if case.remedy.kind != "ranking":
        return
    source = case.source(case.site.file)
    statement = source.statement(case.site.line) if source else None
    if statement is None:
        return
    for place in source.within(statement, cst.Call):
        values = [source.place(argument.value) for argument in place.node.args]
        name = source.text_of(source.place(place.node.func))
        if len(values) < 2:
            continue
        first = (
            1
            if len(values) == 3
            and "rank" not in name.lower()
            and "margin_ranking" not in name
            and case.event is not None
            and "triplet" in case.event.op
            else 0
        )
        a, b = values[first], values[first + 1]
        yield Candidate(
            "swap",
            (source.replace(a, source.text_of(b)), source.replace(b, source.text_of(a))),
            5,
            {"code": f"{source.text_of(b)}, {source.text_of(a)}"},
        )
    for place in source.within(statement, cst.BinaryOperation):
        if isinstance(place.node.operator, cst.Subtract):
            a, b = source.place(place.node.left), source.place(place.node.right)
            yield Candidate(
                "swap",
                (source.replace(a, source.text_of(b)), source.replace(b, source.text_of(a))),
                6,
                {"code": f"{source.text_of(b)} - {source.text_of(a)}"},
            )
    for place in source.within(statement, cst.UnaryOperation):
        if isinstance(place.node.operator, cst.Minus):
            yield Candidate(
                "sign", (source.replace(place, source.text_of(source.place(place.node.expression))),), 9, {"code": "-"}
            )


def _hinge(case: Case) -> Iterator[Candidate]:
    """The positive where the negative stands, and the other way round."""
    source = case.source(case.site.file)
    call = source.at(case.site, cst.Call) if source else None
    if call is None:
        return
    names = {
        case.facts.fields["positive"]: case.facts.fields["negative"],
        case.facts.fields["negative"]: case.facts.fields["positive"],
    }
    edits = tuple(
        source.replace(place, names[place.node.value])
        for place in source.within(call, cst.Name)
        if place.node.value in names
    )
    if len(edits) == 2:
        yield Candidate("swap", edits, 4, {"code": ", ".join(edit.replacement for edit in edits)})


def _copied(case: Case) -> Iterator[Candidate]:
    """The two networks of `a.load_state_dict(b.state_dict())`, of a loop over the parameters of both, or of a call that
    copies between its arguments."""
    source = case.source(case.site.file)
    call = source.at(case.site, cst.Call) if source else None
    if call is None:
        return
    outer = next((source.place(loop.node.iter) for loop in source.enclosing(case.site.line, cst.For)[:1]), None)
    for place in (call, *([outer] if outer is not None and isinstance(outer.node, cst.Call) else [])):
        given = [source.place(argument.value) for argument in place.node.args]
        taker = place.node.func.value if isinstance(place.node.func, cst.Attribute) else None
        if len(given) == 1 and taker is not None and isinstance(given[0].node, cst.Call):
            owner = given[0].node.func.value if isinstance(given[0].node.func, cst.Attribute) else None
            given = [source.place(taker), source.place(owner)] if owner is not None else []
        if len(given) >= 2:
            one, other = given[:2]
            texts = source.text_of(one), source.text_of(other)
            edits = (source.replace(one, texts[1]), source.replace(other, texts[0]))
            yield Candidate("swap", edits, 3 + (place is outer), {"code": f"{texts[1]}, {texts[0]}"})


def _target_first(case: Case) -> Iterator[Candidate]:
    """`loss(labels, scores)`: of two arguments only the second one learns."""
    found = written(case)[:2]
    event = case.event
    if event is None or event.op not in TARGET_LOSSES or len(found) < 2:
        return
    one, other = found
    if not one.fact.requires_grad and other.fact.requires_grad:
        edits = (one.source.replace(one.place, other.text), one.source.replace(other.place, one.text))
        yield Candidate("swap", edits, 2, {"code": f"{other.text}, {one.text}"})
        yield from _handed(case, one, other)


def _handed(case: Case, one: Operand, other: Operand) -> Iterator[Candidate]:
    """The two arguments of the caller that the operands were read from."""
    scope = one.source.scope(one.place.line)
    stack = case.event.stack
    caller = case.source(stack[-2].file) if scope is not None and len(stack) > 1 else None
    call = caller.at(stack[-2], cst.Call) if caller is not None else None
    names = [p.name.value for p in scope.node.params.params if p.name.value not in RECEIVERS] if scope else []
    given = []
    for operand in (one, other) if call is not None else ():
        read = next((p.node.value for p in one.source.within(operand.place, cst.Name) if p.node.value in names), None)
        argument = caller.given(call, names.index(read), read) if read is not None else None
        given += [caller.place(argument)] if argument is not None else []
    if len(given) == 2 and given[0] != given[1]:
        texts = [caller.text_of(place) for place in given]
        edits = (caller.replace(given[0], texts[1]), caller.replace(given[1], texts[0]))
        yield Candidate("swap", edits, 3, {"code": f"{texts[1]}, {texts[0]}"})


def _called(case: Case) -> Iterator[Candidate]:
    """Two arguments of a call of the user's own function, model or cell, on the way to what was refused."""
    failure = case.failure
    for site in failure.stack if failure is not None else ():
        source, call = case.at(site, cst.Call)
        if source is None or call is None or (call.line, call.column) != (site.line, site.column):
            continue
        given = [source.place(a.value) for a in call.node.args if a.keyword is None and not a.star]
        names = isinstance(call.node.func, (cst.Name, cst.Attribute)) and len(given) == len(call.node.args)
        if not names or library(source.text, source.code(call.node.func)) or not 2 <= len(given) <= MOST:
            continue
        for one, other in itertools.combinations(given, 2):
            texts = source.text_of(one), source.text_of(other)
            edits = (source.replace(one, texts[1]), source.replace(other, texts[0]))
            near = given.index(other) - given.index(one) == 1
            if all(isinstance(place.node, READ) for place in (one, other)) and texts[0] != texts[1]:
                yield Candidate("swap", edits, 14 if near else 18, {"code": f"{texts[1]}, {texts[0]}"})


def _product(case: Case) -> Iterator[Candidate]:
    """`x @ links` for `links @ x`, where only that order has two sizes that agree."""
    event, found = case.event, written(case)[:2]
    if event is None or not ops.is_a(event.op, "matmuls") or len(found) < 2 or min(o.fact.rank for o in found) < 2:
        return
    one, other = found
    if other.fact.shape[-1] == one.fact.shape[-2] and one.fact.shape[-1] != other.fact.shape[-2]:
        texts = (one.source.atom(one.place), other.source.atom(other.place))
        edits = (one.source.replace(one.place, texts[1]), one.source.replace(other.place, texts[0]))
        yield Candidate("swap", edits, 5, {"code": f"{texts[1]} @ {texts[0]}"})


def _sums_samples(case: Case) -> Iterator[Candidate]:
    """`a @ b.T` for `b.T @ a`, which sums over the samples, on the way to what was refused."""
    samples = sample_uids(case.trace)
    for fact in operands(case.event)[:1] if case.event is not None else ():
        for _, event in sorted(ancestors(case.trace, fact, NEAR).items(), reverse=True):
            sides = operands(event)[:2]
            source = case.source(event.site.file) if ops.is_a(event.op, "matmuls") and event.site else None
            place = source.at(event.site, cst.BinaryOperation) if source is not None else None
            if place is None or [side.rank for side in sides] != [2, 2] or len(sides[0].axes) != 2:
                continue
            if counts_samples(sides[0].axes[-1], samples) and sides[0].shape[0] == sides[1].shape[1]:
                yield exchanged(source, place)


def exchanged(source: Source, product: Place) -> Candidate:
    """The sides of `a @ b` the other way round."""
    left, right = source.place(product.node.left), source.place(product.node.right)
    texts = source.atom(left), source.atom(right)
    edits = (source.replace(left, texts[1]), source.replace(right, texts[0]))
    return Candidate("swap", edits, 6, {"code": f"{texts[1]} @ {texts[0]}"})


def _sizes(case: Case) -> Iterator[Candidate]:
    """`Linear(16, 40)` for `Linear(40, 16)`: what the layer is given has the size that it is to make."""
    for module, given in refused(case):
        entry, found = ops.layer(module.kind), case.module_call(module.uid)
        if found is None or not entry.width or entry.width == entry.input_width:
            continue
        source, call = found
        axis = entry.takes[entry.input_width]
        texts = []
        for name in (entry.input_width, entry.width):
            node = source.given(call, entry.parameters.index(name), name)
            texts += [source.place(node)] if node is not None else []
        fits = -given.rank <= axis < given.rank and given.shape[axis] == module.config.get(entry.width)
        if fits and len(texts) == 2 and module.config.get(entry.input_width) != module.config.get(entry.width):
            one, other = texts
            edits = (source.replace(one, source.text_of(other)), source.replace(other, source.text_of(one)))
            code = f"{source.text_of(other)}, {source.text_of(one)}"
            origin = given.axes[axis].origin if given.axes else None
            rank = 6 if origin is not None and origin.kind == "constructor" else 10  # what the data have is no slip
            yield Candidate("swap-sizes", edits, rank, {"module": module.kind, "code": code})
