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
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import passed, written
from ..source import Place, Source

FLAGS = frozenset({"batch_first", "stride", "padding", "output_padding", "dilation"})
WIDTHLESS = frozenset({"batch_first"})
SHAPING = ops.named("totals", "reshapes", "flattens", "casts_int", "casts_float", "chooses_index", "softmaxes")


ANSWERS = (Misfit,)
TITLES = {
    "reshape": {
        "en": "use reshape, which copies where a view is impossible",
        "es": "usar reshape, que copia donde no es posible una vista",
        "ja": "view が使えない場合にコピーする reshape を使う",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For each operand of the failing call, and for what was passed on to it."""
    if not case.finding.is_loud:
        return
    for operand in written(case)[:3]:
        source, place = operand.source, operand.place
        if isinstance(place.node, cst.Name):
            bound = source.binding(place.node.value, place.line)
            found = (source, bound) if bound is not None else passed(case, operand)
            if found is None:
                continue
            source, place = found
        yield from _after(case, source, place)
    yield from _flags(case)
    failure = case.trace.failure
    for site in failure.stack if failure is not None else ():
        source, place = case.at(site, cst.Call)
        if place is not None and (place.line, place.column) == (site.line, site.column):
            yield from _given(case, source, place)


def _flags(case: Case) -> Iterator[Candidate]:
    """A flag that the calls by which the sizes came about are not given, and that the same function or its counterpart
    is given elsewhere."""
    given: dict[str, dict[str, str]] = {}
    channels = ops.is_a(case.misfit.op, "convolves") and case.misfit.axis == 1  # no window makes more or fewer of them
    for home, call in case.calls():
        for argument in call.node.args:
            if argument.keyword is not None and argument.keyword.value in (WIDTHLESS if channels else FLAGS):
                text = home.code(argument.value)
                given.setdefault(_family(call.node), {}).setdefault(argument.keyword.value, text)
    sites = [origin.site for origin in case.facts.origins]
    for fact in operands(case.event)[:2] if case.event is not None else ():
        sites += [event.site for event in ancestors(case.trace, fact, 60).values()]
    for _, source, statement in case.simple(sites):
        for call in source.within(statement, cst.Call):
            own = {argument.keyword.value for argument in call.node.args if argument.keyword is not None}
            for flag, text in given.get(_family(call.node), {}).items():
                edit = source.argument(call, None, flag, text) if flag not in own else None
                if edit is not None and text.strip("-").isalnum():
                    yield Candidate("flag", (edit,), 6, {"code": f"{flag}={text}"})


def _family(call: cst.Call) -> str:
    """A function's name; those of padded and packed sequences share their layout."""
    func = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    name = func.value if isinstance(func, cst.Name) else ""
    return "sequence" if name.endswith("_sequence") else name


def _after(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A method that is called on the result of the same call elsewhere."""
    name = _called(place.node, source)
    for other, call in case.calls() if name else ():
        func = call.node.func
        if (
            isinstance(func, cst.Attribute)
            and func.attr.value in SHAPING
            and _called(func.value, other) == name
            and other.text_of(call) != source.text_of(place)
        ):
            code = other.text_of(call)[len(other.text_of(other.place(func.value))) :]
            if _plain(call.node):
                yield Candidate("wrap", (source.suffix(place, code),), 3, {"code": code, "name": name})


def _given(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """A method that is called elsewhere on the argument in the same place of the same call."""
    name = source.text_of(source.place(place.node.func))
    if library(source.text, name):
        return
    for other, call in case.calls():
        if (
            other.text_of(other.place(call.node.func)) != name
            or len(call.node.args) != len(place.node.args)
            or call.line == place.line
        ):
            continue
        for theirs, ours in zip(call.node.args, place.node.args):
            func = theirs.value.func if isinstance(theirs.value, cst.Call) else None
            if (
                isinstance(func, cst.Attribute)
                and func.attr.value in SHAPING
                and _plain(theirs.value)
                and isinstance(ours.value, (cst.Name, cst.Attribute, cst.Subscript))
            ):
                code = other.code(theirs.value)[len(other.code(func.value)) :]
                yield Candidate(
                    "wrap",
                    (source.suffix(source.place(ours.value), code),),
                    4,
                    {"code": code, "name": source.text_of(source.place(ours.value))},
                )


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
