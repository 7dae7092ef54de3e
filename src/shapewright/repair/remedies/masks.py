"""A mask the other way round: the comparison that makes it, or else the mask where it is handed over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, tensors
from ...graph.imports import library
from ...graph.makers import Makers
from ...graph.training import descendants
from ...rules.remedy import HidePadding, Misfit, TurnMask
from ...trace import Site
from ..candidate import Candidate, Case
from ..declared import at
from ..operands import Operand, written
from ..source import Place, Source

TURNED = {
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.LessThan: ">=",
    cst.GreaterThan: "<=",
    cst.LessThanEqual: ">",
    cst.GreaterThanEqual: "<",
}


COMPARED = {"eq": "ne", "ne": "eq", "lt": "ge", "gt": "le", "le": "gt", "ge": "lt"}
ANSWERS = (HidePadding, Misfit, TurnMask)
FEW = 3  # comparisons of which an attention's mask may come
TITLES = {
    "turn-mask": {
        "en": "invert the mask: {code}",
        "es": "invertir la máscara: {code}",
        "ja": "マスクを反転する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For masks that forbid what they should let through, and for those whose two axes stand the wrong way round."""
    yield from _transposed(case)
    if isinstance(case.remedy, HidePadding):
        for made in _compared(case) if case.remedy.read == "attended" else ():
            yield from _made(case, made, "")
        return
    if isinstance(case.remedy, TurnMask) and case.remedy.factor >= 0:
        yield from _factor(case, case.remedy.factor)
        return
    if isinstance(case.remedy, TurnMask) and case.remedy.filled is not None:
        yield from _filled(case, case.remedy.filled)
        return
    site = case.remedy.made if isinstance(case.remedy, TurnMask) else None
    source, statement = case.statement(site)
    names = _names(source, statement) if source is not None and statement is not None else set()
    called = {case.remedy.name} if isinstance(case.remedy, TurnMask) else set[str]()
    every = isinstance(case.remedy, TurnMask) and case.remedy.every
    doubt = "guessed" if source is not None and not every and _read_elsewhere(case, source, names, site.line) else ""
    made = list(case.found(site, cst.Call))
    if not any(_keeps_diagonal(source, place) for source, place in made):
        yield from _handed_over(case, names | called, "guessed" if every else "")
    yield from _made(case, site, doubt)


def _made(case: Case, site: Site | None, doubt: str) -> Iterator[Candidate]:
    """The call or the comparison that makes a mask, the other way round."""
    for source, place in case.found(site, cst.Call):
        code = _called(source, place)
        if code:
            yield Candidate("turn-mask", (source.replace(place, code),), 4, {"code": code}, doubt=doubt)
    for source, place in case.found(site, cst.Comparison):
        comparison = place.node
        sign = TURNED.get(type(comparison.comparisons[0].operator)) if len(comparison.comparisons) == 1 else None
        if sign is not None:
            sides = (comparison.left, comparison.comparisons[0].comparator)
            code = f" {sign} ".join(source.text_of(source.place(part)) for part in sides)
            yield Candidate("turn-mask", (source.replace(place, code),), 4, {"code": code}, doubt=doubt)


def _compared(case: Case) -> list[Site]:
    """Where the script tells padding from tokens by comparing whole numbers, one of each sample and step, for what an
    attention reads."""
    found = []
    for event in case.trace.events:
        given, made = next(iter(operands(event)), None), next(iter(tensors(event.result)), None)
        two = given is not None and made is not None and given.is_whole and made.rank == given.rank == 2
        if two and ops.is_a(event.op, "compares") and event.site is not None and event.site not in found:
            if any(ops.is_a(one.op, "attends", "softmaxes") for one in descendants(case.trace, [made], 200).values()):
                found.append(event.site)
    return found[:FEW]


def _filled(case: Case, site: Site) -> Iterator[Candidate]:
    """`where(~hidden, …)` for `where(hidden, …)`, `targets[~hidden] = …` for `targets[hidden] = …`: there alone."""
    source, statement = case.statement(site)
    masks = []
    for _, call in case.found(site, cst.Call, 1):
        masks += [call.node.args[0].value] if ops.is_a(source.called(call), "masks") else []
    for assign in source.within(statement, cst.Assign) if source is not None and statement is not None else ():
        targets = [one.target for one in assign.node.targets if isinstance(one.target, cst.Subscript)]
        parts = [one.slice[0].slice for one in targets if len(one.slice) == 1]
        masks += [part.value for part in parts if isinstance(part, cst.Index)]
    for node in masks[:1] if len(masks) == 1 else ():
        code = source.inverted(node)
        yield Candidate("turn-mask", (source.replace(source.place(node), code),), 4, {"code": code})


def _factor(case: Case, uid: int) -> Iterator[Candidate]:
    """`1 - done` for `done`, and the other way round."""
    for operand in written(case):
        if operand.fact.uid != uid or (operand := _flag(case, operand)) is None:
            continue
        node = operand.place.node
        one = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract)
        if one and isinstance(node.left, (cst.Integer, cst.Float)) and float(node.left.value) == 1:
            code = operand.source.atom(operand.source.place(node.right))
        else:
            code = f"(1 - {operand.source.atom(operand.place)})"
            code = operand.source.inverted(node) if operand.fact.dtype.endswith("bool") else code
        yield Candidate("turn-mask", (operand.source.replace(operand.place, code),), 4, {"code": code})


def _flag(case: Case, operand: Operand) -> Operand | None:
    """The mask itself in a product of it and a number, which alone is turned; `None` where it is not known which part
    that is."""
    node = operand.place.node
    if not (isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply)):
        return operand
    event = Makers(case.trace).producer(operand.fact)
    facts = list(operands(event)) if event is not None else []
    parts = ((part, getattr(part, "attr", part)) for part in (node.left, node.right))
    named = [part for part, name in parts if isinstance(name, cst.Name) and [name.value] == [one.name for one in facts]]
    return Operand(facts[0], operand.source, operand.source.place(named[0])) if len(named) == 1 else None


def _keeps_diagonal(source: Source, call: Place) -> bool:
    """Whether a triangle, inverted, would be without the diagonal that it should have, or with it."""
    name = source.called(call)
    shifted = source.code(source.given(call, 1, "diagonal")).strip() if source.given(call, 1, "diagonal") else ""
    return ops.is_a(name, "triangles") and shifted != ("1" if "triu" in name else "")


def _called(source: Source, call: Place) -> str:
    """A comparison written as a call, or a triangle of ones, the other way round; of a triangle what is left is the
    rest."""
    func = call.node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else getattr(func, "value", "")
    before = source.text_of(call).partition("(")[0] if isinstance(func, cst.Name) else ""
    other, given = COMPARED.get(name), [source.text_of(source.place(one.value)) for one in call.node.args]
    if isinstance(func, cst.Attribute):
        before = f"{source.text_of(source.place(func.value))}.{name}"
    bare = isinstance(func, cst.Attribute) and not library(source.text, source.code(func))
    if ops.is_a(name, "triangles"):
        other = "triu" if "tril" in name else "tril"
        given = given[: 0 if bare else 1] + ["diagonal=1"] * (other == "triu")
    return f"{before.removesuffix(name)}{other}({', '.join(given)})" if other else ""


def _names(source: Source, statement: Place) -> set[str]:
    """What the statement on a line binds: names, fields and buffers."""
    targets = [t.target for a in source.within(statement, cst.Assign) for t in a.node.targets]
    buffers = [place.node.args[0].value for place in source.methods(statement, "register_buffer") if place.node.args]
    names = {_base(target) for target in targets}
    return names | {str(one.evaluated_value) for one in buffers if isinstance(one, cst.SimpleString)}


def _base(node: cst.BaseExpression) -> str:
    """The name of a mask, or of the field that holds it, of which a part may be taken."""
    while isinstance(node, cst.Subscript):
        node = node.value
    node = node.attr if isinstance(node, cst.Attribute) else node
    return node.value if isinstance(node, cst.Name) else ""


@at(cst.Call)
def _handed_over(case: Case, source: Source, call: Place, names: set[str], doubt: str) -> Iterator[Candidate]:
    """The mask where it is handed over, inverted, or no longer inverted; with a `doubt` where its other readers take
    it the same way."""
    for node in (given.value for given in call.node.args):
        turned = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert)
        if turned or _base(node) in names - {""}:
            # what a field holds others read, too, and a checkpoint keeps
            code, rank = source.inverted(node), 2 if turned else 5 if isinstance(node, cst.Name) else 3
            yield Candidate("turn-mask", (source.replace(source.place(node), code),), rank, {"code": code}, doubt=doubt)


def _read_elsewhere(case: Case, source: Source, names: set[str], line: int) -> bool:
    """Whether other lines than the finding's read a mask: they expect it as it is."""
    scope = source.scope(line)
    reads = [p for p in source.of_kind(cst.Name) if p.node.value in names and p.line != line]
    reads = [p for p in reads if source.scope(p.line) is scope]
    return any(not case.site.line <= p.line <= max(case.site.line, case.site.end_line) for p in reads)


@at(cst.Call)
def _transposed(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """The mask that the user's call hands over, its axes exchanged."""
    mask, wanted = tuple(case.misfit.mask or ()), tuple(case.misfit.wanted_shape or ())
    for given in call.node.args if len(mask) == 2 and mask[::-1] == wanted else ():
        place = source.place(given.value)
        text, code = source.text_of(place), ".transpose(0, 1)"
        if "mask" in (given.keyword.value if given.keyword is not None else text):
            yield Candidate("wrap", (source.suffix(place, code),), 7, {"code": code, "name": text})
