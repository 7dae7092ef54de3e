"""What the script does with the same call in another place: `dist.log_prob(a).sum(-1)` there, `dist.log_prob(a)` here;
`model(x.transpose(1, 2))` there, `model(x)` here; `pack_padded_sequence(…, batch_first=True)` and
`pad_packed_sequence(…)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.imports import library
from ...graph.training import ancestors
from ...rules.remedy import Misfit, Recast
from ..candidate import Candidate, Case, offered
from ..operands import passed, written
from ..source import Place, Source

FLAGS = frozenset({"batch_first", "stride", "padding", "output_padding", "dilation"})
WINDOWLESS = frozenset({"batch_first"})
SHAPING = ops.named("totals", "reshapes", "flattens", "casts_int", "casts_float", "chooses_index", "softmaxes")


ANSWERS = (Misfit, Recast)
TITLES = {
    "reshape": {
        "en": "use reshape, which copies the data where a view is impossible",
        "es": "usar reshape, que copia los datos cuando view no es posible",
        "ja": "view が使えない場合にコピーする reshape を使う",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For each operand of the failing call, and for what was passed on to it."""
    for operand in written(case)[:3]:
        source, place = operand.source, operand.place
        bound = source.binding(place.node.value, place.line) if isinstance(place.node, cst.Name) else place
        found = (source, bound) if bound is not None else next(passed(case, operand), None)
        yield from _after(case, *found) if found is not None else ()
    yield from _flags(case)
    for site in case.failure.stack:
        for source, place in case.found(site, cst.Call):
            if (place.line, place.column) == (site.line, site.column):
                yield from _given(case, source, place)


def _flags(case: Case) -> Iterator[Candidate]:
    """A flag that the calls by which the sizes came about are not given, and that the same function or its counterpart
    is given elsewhere."""
    given: dict[str, dict[str, str]] = {}
    channels = ops.is_a(case.misfit.op, "convolves") and case.misfit.axis == 1  # no window makes more or fewer of them
    for home, call in case.calls():
        for name, value in _keywords(call):
            if name in (WINDOWLESS if channels else FLAGS):
                given.setdefault(_family(call.node), {}).setdefault(name, home.code(value))
    sites = [origin.site for origin in case.facts.origins]
    for fact in operands(case.event)[:2] if case.event is not None else ():
        sites += [event.site for event in ancestors(case.trace, fact, 60).values()]
    for _, source, statement in case.simple(sites):
        for call in source.within(statement, cst.Call):
            own, entry = dict(_keywords(call)), ops.layer(source.called(call)) or ops.find(source.called(call))
            for flag, text in given.get(_family(call.node), {}).items():
                at = entry.parameters.index(flag) if entry is not None and flag in entry.parameters else None
                edit = source.argument(call, at, flag, text) if flag not in own else None
                yield from offered("flag", edit if text.strip("-").isalnum() else None, 6, {"code": f"{flag}={text}"})


def _keywords(call: Place) -> list[tuple[str, cst.BaseExpression]]:
    return [(given.keyword.value, given.value) for given in call.node.args if given.keyword is not None]


def _family(call: cst.Call) -> str:
    """A function's name; those of padded and packed sequences share their layout."""
    func = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    name = func.value if isinstance(func, cst.Name) else ""
    return "sequence" if name.endswith("_sequence") else name


def _after(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A method that is called on the result of the same call elsewhere."""
    name = _called(place.node, source)
    yield from _of_same_text(case, source, place)
    for other, call in case.calls() if name else ():
        owner = _shaped(call.node)
        same = owner is not None and _called(owner, other) == name
        if same and other.text_of(call) != source.text_of(place):
            code = other.method(call.node)
            yield Candidate("wrap", (source.suffix(place, code),), 3, {"code": code, "name": name})


def _of_same_text(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """`(a * b) * 5` here, `(a * b).sum(-1) * 5` there: a method that is called on the same product or sum elsewhere."""
    called = {
        id(one.node.func.value) for one in source.within(place, cst.Call) if isinstance(one.node.func, cst.Attribute)
    }
    grouped = (one for one in source.within(place, cst.BinaryOperation) if one.node.lpar and id(one.node) not in called)
    own = {source.text_of(one): one for one in grouped}
    for other, call in case.calls() if own else ():
        owner = _shaped(call.node)
        here = own.get(other.text_of(other.place(owner))) if isinstance(owner, cst.BinaryOperation) else None
        if here is not None:
            code = other.method(call.node)
            yield Candidate("wrap", (source.suffix(here, code),), 3, {"code": code, "name": source.text_of(here)})


def _shaped(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """`x` of `x.sum(-1)`: what a method gives other axes, whose arguments mean the same anywhere."""
    func = node.func if isinstance(node, cst.Call) else None
    shapes = isinstance(func, cst.Attribute) and func.attr.value in SHAPING
    return func.value if shapes and _plain(node) else None


def _given(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A method that is called elsewhere on the argument in the same place of the same call."""
    name = source.text_of(source.place(place.node.func))
    for other, call in case.calls() if not library(source.text, name) else ():
        alike = other.text_of(other.place(call.node.func)) == name and len(call.node.args) == len(place.node.args)
        for theirs, ours in zip(call.node.args, place.node.args) if alike and call.line != place.line else ():
            owner = _shaped(theirs.value)
            if owner is not None and isinstance(ours.value, (cst.Name, cst.Attribute, cst.Subscript)):
                code, own = other.method(theirs.value), source.place(ours.value)
                fields = {"code": code, "name": source.text_of(own)}
                yield Candidate("wrap", (source.suffix(own, code),), 4, fields)


def _called(node: cst.BaseExpression, source: Source) -> str:
    """The name of a method or of one of the user's own objects that an expression calls."""
    if not isinstance(node, cst.Call):
        return ""
    func = node.func
    if isinstance(func, cst.Name):
        return func.value
    if (
        isinstance(func, cst.Attribute)
        and func.attr.value not in SHAPING
        and not library(source.text, source.code(func))
    ):
        return func.attr.value
    return ""


def _plain(call: cst.Call) -> bool:
    """Whether the arguments are plain numbers, so that they mean the same anywhere."""
    return all(
        isinstance(given.value, cst.Integer)
        or (isinstance(given.value, cst.UnaryOperation) and isinstance(given.value.expression, cst.Integer))
        or (isinstance(given.value, cst.Name) and given.value.value in ("True", "False"))
        for given in call.args
    )
