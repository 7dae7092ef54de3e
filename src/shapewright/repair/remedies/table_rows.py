"""A table added to a sequence, such as learned positions, that has too few places or more than the sequence is long."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import ELEMENTWISE
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import Operand, written
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "rows": {
        "en": "give the table as many positions as are used: {code}",
        "es": "dar a la tabla tantas posiciones como se usan: {code}",
        "ja": "表の位置の数を、使われる数に合わせる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where one operand of a sum or product is a parameter or buffer of the module's, and one axis of it differs."""
    yield from _written(case)
    event = case.event
    if event is None or event.op.rstrip("_") not in ELEMENTWISE or not case.finding.is_loud:
        return
    found = written(case)[:2]
    if len(found) < 2:
        return
    for table, other in (found, reversed(found)):
        a, b = table.fact.shape, other.fact.shape
        if not a or not b or len(a) > len(b) or not _own(table):
            continue
        apart = [axis for axis in range(-len(a), 0) if a[axis] != b[axis] and a[axis] != 1]
        if len(apart) != 1 or (apart[0] == -1 and len(a) > 1):
            continue
        axis = apart[0]
        if a[axis] > b[axis] and isinstance(table.place.node, (cst.Name, cst.Attribute)):
            cut = ", ".join([":"] * (axis + len(a)) + [f":{other.text}.size({axis + len(b)})"])
            yield Candidate("rows", (table.source.suffix(table.place, f"[{cut}]"),), 6, {"code": f"[{cut}]"})
        yield from _sized(table, axis + len(a), b[axis])


def _written(case: Case) -> Iterator[Candidate]:
    """`table[:, 1::2] = values` where the values have a column more than there is room for: the odd width of a table of
    sines and cosines."""
    size, wanted = case.misfit.size, case.misfit.wanted
    source, statement = case.statement(case.site)
    if (
        case.misfit.op != "setitem"
        or case.misfit.axis != -1
        or statement is None
        or not isinstance(size, int)
        or not isinstance(wanted, int)
        or size <= wanted
    ):
        return
    for place in source.within(statement, cst.Assign):
        target = place.node.targets[0].target
        if isinstance(target, cst.Subscript):
            cut = f"[..., :{source.text_of(source.place(target))}.size(-1)]"
            yield Candidate(
                "rows",
                (source.suffix(source.place(place.node.value), cut),),
                6 if size - wanted <= 2 else 20,
                {"code": cut},
            )


def _own(operand: Operand) -> bool:
    node = operand.place.node
    while isinstance(node, (cst.Subscript, cst.Call)):
        node = node.value if isinstance(node, cst.Subscript) else node.func
    return (
        isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.value.value == "self"
    ) or operand.fact.is_held


def _sized(table: Operand, axis: int, wanted: int) -> Iterator[Candidate]:
    """The factory's size on this axis: one more where one is missing, else the number itself."""
    source, size = table.source, table.fact.shape[axis]
    node = table.place.node
    name = source.text_of(table.place) if isinstance(node, cst.Attribute) else ""
    for place in source.places:
        if not isinstance(place.node, cst.Assign) or not any(
            source.code(t.target).strip() == name for t in place.node.targets
        ):
            continue
        for call in source.within(source.place(place.node.value), cst.Call):
            given = sizes_of(source, call)
            if given is None or len(given) != table.fact.rank:
                continue
            text = source.text_of(given[axis])
            if isinstance(given[axis].node, cst.Integer):
                yield Candidate("rows", (source.replace(given[axis], str(wanted)),), 5, {"code": str(wanted)})
                continue
            bare = (
                text
                if isinstance(given[axis].node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) or wanted > size
                else f"({text})"
            )
            if abs(wanted - size) == 1:
                yield Candidate(
                    "rows",
                    (source.replace(given[axis], f"{bare} {'+' if wanted > size else '-'} 1"),),
                    5,
                    {"code": f"{text} {'+' if wanted > size else '-'} 1"},
                )
            yield Candidate("rows", (source.replace(given[axis], str(wanted)),), 9, {"code": str(wanted)})


def sizes_of(source: Source, call: Place) -> list[Place] | None:
    """The places of the sizes that a factory call is given, one an axis; `None` for any other call."""
    func = call.node.func
    name = func.attr.value if isinstance(func, cst.Attribute) else func.value if isinstance(func, cst.Name) else ""
    if not ops.is_a(name, "shaped"):
        return None
    plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
    if plain and isinstance(plain[0], (cst.Tuple, cst.List)):
        plain = [element.value for element in plain[0].elements]
    return [source.place(value) for value in plain]
