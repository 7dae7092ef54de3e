"""A mask the other way round: the comparison that makes it, or else the mask where it is handed over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit, TurnMask
from ..candidate import Candidate, Case
from ..operands import written
from ..source import Source

TURNED = {
    cst.Equal: "!=",
    cst.NotEqual: "==",
    cst.LessThan: ">=",
    cst.GreaterThan: "<=",
    cst.LessThanEqual: ">",
    cst.GreaterThanEqual: "<",
}


ANSWERS = (Misfit, TurnMask)
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
    if isinstance(case.remedy, TurnMask) and case.remedy.factor >= 0:
        yield from _factor(case, case.remedy.factor)
        return
    site = case.remedy.made if isinstance(case.remedy, TurnMask) else None
    source = case.source(site.file) if site is not None else None
    names = _names(source, site.line) if source is not None else set()
    yield from _handed_over(case, names)
    place = source.at(site, cst.Comparison) if source is not None else None
    if place is None:
        return
    comparison = place.node
    sign = TURNED.get(type(comparison.comparisons[0].operator)) if len(comparison.comparisons) == 1 else None
    if sign is not None:
        left, right = (
            source.text_of(source.place(part)) for part in (comparison.left, comparison.comparisons[0].comparator)
        )
        code = f"{left} {sign} {right}"
        doubt = "guessed" if _read_elsewhere(case, source, names, site.line) else ""
        yield Candidate("turn-mask", (source.replace(place, code),), 4, {"code": code}, doubt=doubt)


def _factor(case: Case, uid: int) -> Iterator[Candidate]:
    """`1 - done` for `done`, and the other way round."""
    for operand in written(case):
        node = operand.place.node
        if operand.fact.uid != uid:
            continue
        one = isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract)
        if one and isinstance(node.left, (cst.Integer, cst.Float)) and float(node.left.value) == 1:
            code = operand.source.atom(operand.source.place(node.right))
        else:
            code = f"(1 - {operand.source.atom(operand.place)})"
            code = operand.source.inverted(node) if operand.fact.dtype.endswith("bool") else code
        yield Candidate("turn-mask", (operand.source.replace(operand.place, code),), 4, {"code": code})


def _names(source: Source, line: int) -> set[str]:
    """What the statement on a line binds."""
    statement = source.statement(line)
    assigns = source.within(statement, cst.Assign) if statement is not None else ()
    return {t.target.value for a in assigns for t in a.node.targets if isinstance(t.target, cst.Name)}


def _handed_over(case: Case, names: set[str]) -> Iterator[Candidate]:
    """The mask where it is handed over, inverted, or no longer inverted."""
    source, call = case.at(case.site, cst.Call)
    for given in call.node.args if call is not None else ():
        place, node = source.place(given.value), given.value
        turned = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert)
        if turned or (isinstance(node, cst.Name) and node.value in names):
            code = source.inverted(node)
            yield Candidate("turn-mask", (source.replace(place, code),), 2 if turned else 5, {"code": code})


def _read_elsewhere(case: Case, source: Source, names: set[str], line: int) -> bool:
    """Whether other lines than the finding's read a mask: they expect it as it is."""
    scope = source.scope(line)
    reads = [p for p in source.of_kind(cst.Name) if p.node.value in names and p.line != line]
    reads = [p for p in reads if source.scope(p.line) is scope]
    return any(not case.site.line <= p.line <= max(case.site.line, case.site.end_line) for p in reads)


def _transposed(case: Case) -> Iterator[Candidate]:
    """The mask that the user's call hands over, its axes exchanged."""
    mask, wanted = case.misfit.mask, case.misfit.wanted_shape
    source = case.source(case.site.file)
    place = source.at(case.site, cst.Call) if source is not None and mask and wanted else None
    if place is None or len(mask) != 2 or tuple(reversed(mask)) != tuple(wanted):
        return
    for given in place.node.args:
        text = source.text_of(source.place(given.value))
        if "mask" in (given.keyword.value if given.keyword is not None else text):
            yield Candidate(
                "wrap",
                (source.suffix(source.place(given.value), ".transpose(0, 1)"),),
                7,
                {"code": ".transpose(0, 1)", "name": text},
            )
