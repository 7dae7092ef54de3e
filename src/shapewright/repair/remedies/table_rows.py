"""A table added to a sequence, such as learned positions, that has too few places or more than the sequence is long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from ... import ops
from ...graph.flow import ELEMENTWISE
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import on_line
from ..operands import Operand, written
from ..source import Place, Source
from .order import exchanged

ANSWERS = (Misfit,)
TITLES = {
    "rows": {
        "en": "fit the size of the table (of positions, for example) to the other operand: {code}",
        "es": "ajustar el tamaño de la tabla (de posiciones, por ejemplo) al otro operando: {code}",
        "ja": "表 (位置の表など) のサイズを、もう一方のオペランドに合わせる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where one operand of a sum or product is a parameter or buffer of the module's, and one axis of it differs."""
    yield from _written(case)
    meets = case.event is not None and case.event.op.rstrip("_") in ELEMENTWISE
    found = written(case)[:2] if meets else []
    for table, other in (found, found[::-1]) if len(found) == 2 else ():
        a, b = table.fact.sizes, other.fact.sizes
        if not a or not b or len(a) > len(b) or not _own(table):
            continue
        apart = [axis for axis in range(-len(a), 0) if a[axis] not in (b[axis], 1)]
        if len(apart) != 1 or (apart[0] == -1 and len(a) > 1):
            continue
        axis = apart[0]
        if a[axis] > b[axis] and isinstance(table.place.node, (cst.Name, cst.Attribute)):
            cut = f"[{', '.join([':'] * (axis + len(a)) + [f':{other.text}.size({axis + len(b)})'])}]"
            yield Candidate("rows", (table.source.suffix(table.place, cut),), 6, {"code": cut})
        yield from _sized(table, axis + len(a), b[axis])
        yield from _turned(table, axis + len(a))


@on_line
def _written(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`table[:, 1::2] = values` where the values have a column more than there is room for: the odd width of a table of
    sines and cosines."""
    size, wanted = case.misfit.size, case.misfit.wanted
    last = case.misfit.op == "setitem" and case.misfit.axis == -1
    longer = last and isinstance(size, int) and isinstance(wanted, int) and size > wanted
    for place in source.within(statement, cst.Assign) if longer else ():
        target = place.node.targets[0].target
        if isinstance(target, cst.Subscript):
            cut = f"[..., :{source.text_of(source.place(target))}.size(-1)]"
            edit = source.suffix(source.place(place.node.value), cut)
            yield Candidate("rows", (edit,), 6 if size - wanted <= 2 else 20, {"code": cut})


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
    for _, given in _factories(table) if isinstance(table.place.node, cst.Attribute) else ():
        for place in given[axis : axis + 1]:
            whole = isinstance(place.node, cst.Integer)
            if not whole and abs(wanted - size) == 1:
                sign = "+" if wanted > size else "-"
                bare = source.text_of(place) if wanted > size else source.atom(place)
                fields = {"code": f"{source.text_of(place)} {sign} 1"}
                yield Candidate("rows", (source.replace(place, f"{bare} {sign} 1"),), 5, fields)
            edit = source.replace(place, str(wanted))
            yield Candidate("rows", (edit,), 5 if whole else 9, {"code": str(wanted)})


def _turned(table: Operand, axis: int) -> Iterator[Candidate]:
    """`randn(1, length, width)` for `randn(length, 1, width)`: the one row for all samples where they are counted."""
    for call, given in _factories(table):
        for at in range(len(given)):
            if at != axis and table.fact.sizes[at] == 1:
                made = exchanged(table.source, given[min(at, axis)], given[max(at, axis)], 5)
                yield replace(made, title="swap-sizes", fields={"module": table.source.called(call), **made.fields})


def _factories(table: Operand) -> Iterator[tuple[Place, list[Place]]]:
    """The calls that made a table of as many axes, with the sizes that they were given."""
    source, node = table.source, table.place.node
    whole = source.place(node.value) if isinstance(node, cst.Subscript) else table.place
    name = source.text_of(whole) if isinstance(whole.node, cst.Attribute) else ""
    bound = (p for p in source.of_kind(cst.Assign) for t in p.node.targets if source.code(t.target).strip() == name)
    for call in (call for place in bound for call in source.within(source.place(place.node.value), cst.Call)):
        given = sizes_of(source, call) or []
        if len(given) == table.fact.rank:
            yield call, given


def sizes_of(source: Source, call: Place) -> list[Place] | None:
    """The places of the sizes that a factory call is given, one an axis; `None` for any other call."""
    if not ops.is_a(source.called(call), "shaped"):
        return None
    plain = [a.value for a in call.node.args if a.keyword is None and not a.star]
    if plain and isinstance(plain[0], (cst.Tuple, cst.List)):
        plain = [element.value for element in plain[0].elements]
    return [source.place(value) for value in plain]
