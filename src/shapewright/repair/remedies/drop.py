"""Takes away a method call that eats or adds an axis: an over-eager `squeeze`, a needless `unsqueeze`, `permute` or
`transpose`; or names its axis."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import chain, operands
from ...graph.imports import library
from ...rules.remedy import AlignAxes, BatchFirst, Misfit, NameAxis, Refold, TurnAxes
from ...trace import Site
from ..candidate import Candidate, Case
from ..source import Place, Source

COMPUTES = ops.named("chooses_index", "cuts", "leaves")
TURNS = ops.named("turns") | {"T", "mT"}
STEPS = 6  # calls that are followed back to a move of axes
DROPPED = ops.named("squeezes", "unsqueezes", "turns", "flattens") | COMPUTES
REORDERED = {"permute": "permute", "flatten": "merge"}  # calls whose axes may be others, and the title of that edit

ANSWERS = (AlignAxes, BatchFirst, Misfit, NameAxis, Refold, TurnAxes)
TITLES = {
    "permute": {
        "en": "put the axes in the expected order: {code}",
        "es": "poner los ejes en el orden esperado: {code}",
        "ja": "軸を期待される順に並べる: {code}",
    },
    "drop": {
        "en": "remove {code}",
        "es": "quitar {code}",
        "ja": "{code} を取り除く",
    },
    "add-axis": {
        "en": "insert the new axis at the right position: {code}",
        "es": "poner el nuevo eje en la posición correcta: {code}",
        "ja": "新しい軸を正しい位置に置く: {code}",
    },
    "merge": {
        "en": "merge other axes instead: {code}",
        "es": "unir otros ejes en su lugar: {code}",
        "ja": "代わりに別の軸をまとめる: {code}",
    },
    "item": {
        "en": "accumulate numbers, not graphs: {code}",
        "es": "acumular números, no grafos: {code}",
        "ja": "計算グラフではなく数値を足す: {code}",
    },
    "squeeze-axis": {
        "en": "specify the axis to remove: {code}",
        "es": "indicar el eje que se elimina: {code}",
        "ja": "取り除く軸を明示する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the finding's line, its callers' and its origins'; where the axes of what was refused were turned."""
    yield from _turned(case)
    yield from _idle(case)
    lines = dict.fromkeys(Site(site.file, site.line) for site in case.sites)
    for index, site in enumerate(lines):
        for _, source, statement in case.simple([site]):
            for place in source.methods(statement, *DROPPED):
                if place.line <= site.line <= place.end_line and source.operand(place) is not None:
                    yield from _dropped(case, source, place, index)


def _dropped(case: Case, source: Source, place: Place, index: int) -> Iterator[Candidate]:
    """Without the call, or with another axis for it: of a method, or of a function of torch's."""
    func, operand = source.place(place.node.func), source.operand(place)
    method = operand.node is place.node.func.value
    name, given = place.node.func.attr.value, [source.code(a.value) for a in place.node.args[0 if method else 1 :]]
    inner, opened = source.atom(operand), f"{source.text_of(func)}({source.text_of(operand)}, "
    rank = 7 if ops.is_a(name, "turns") and case.misfit.swap_with is not None else 12 + min(3 * index, 9)
    refused = case.failure is not None and case.event is not None and case.event.op == name
    open_ = name in COMPUTES or (refused and ops.is_a(name, "turns"))  # the axes were to be moved, only which is open
    code, doubt = f".{name}(…)" if given else f".{name}()", "guessed" if open_ else ""
    yield Candidate("drop", (source.replace(place, inner),), max(rank, 11), {"code": code}, doubt=doubt)
    fact = next(iter(operands(case.event)), None) if refused and name == "permute" else None
    fits = fact is None or fact.rank == len(given)  # no order of so many axes is one of fewer
    for title, code, near in (*_other_axes(name, given, rank, index), *(_reordered(name, given, rank) if fits else ())):
        own = not method and code.startswith(f".{name}(")
        text = opened + code.removeprefix(f".{name}(") if own else inner + code
        yield Candidate(title, (source.replace(place, text),), near, {"code": code})


def _other_axes(name: str, given: list[str], rank: int, index: int) -> Iterator[tuple[str, str, int]]:
    """Which axis is taken away, or where one is put in."""
    if name == "flatten" and not given:
        yield "per-sample", ".flatten(1)", 6
    if name == "squeeze" and not given:  # several axes of one, as an adaptive pooling leaves: all but the batch
        yield "squeeze-axis", ".flatten(1)", rank
    for dim in ("-1", "1", "0") if name == "squeeze" else ():
        if given[:1] != [dim]:
            yield "squeeze-axis", f".squeeze({dim})", rank - (0 if given else 1) - (dim == "-1") + bool(given)
    for dim in (0, 1, 2, -1) if name == "unsqueeze" and given and index == 0 else ():
        if str(dim) != given[0]:
            yield "add-axis", f".unsqueeze({dim})", 19


def _reordered(name: str, given: list[str], rank: int) -> Iterator[tuple[str, str, int]]:
    """Another order of the axes, or other axes merged."""
    for order in _orders(name, given) if name in REORDERED else ():
        yield REORDERED[name], f".{name}({order})", rank - 2
    for order in ("0, 1", "1, 2", "-2, -1") if name == "transpose" and len(given) == 2 else ():
        if order not in (", ".join(given), ", ".join(given[::-1])):
            yield "permute", f".transpose({order})", rank - 1


def _orders(name: str, given: list[str]) -> Iterator[str]:
    """The arguments of a `permute` with an axis that it names twice replaced by one that it leaves out, or else in
    another order; other first and last axes of a `flatten`."""
    try:
        now = [int(text) % len(given) for text in given] if name == "permute" else [int(text) for text in given]
    except ValueError:
        return
    missing = [axis for axis in range(len(now)) if axis not in now]
    places = [at for at, axis in enumerate(now) if now.count(axis) > 1]
    found = [[axis if at == place else old for at, old in enumerate(now)] for axis in missing for place in places]
    if name == "flatten":
        found = [pair for pair in ([0, 1], [0, -2], [1]) if now and pair != now]
    elif not missing and len(now) == 3:
        found = [list(order) for order in itertools.permutations(range(3)) if list(order) not in (now, [0, 1, 2])]
    yield from (", ".join(map(str, order)) for order in found if len(set(order)) == len(order))


def _idle(case: Case) -> Iterator[Candidate]:
    """The axis of size one for a `squeeze` that names an axis of another size, and took nothing away."""
    given = operands(case.event) if isinstance(case.remedy, Misfit) and case.event is not None else []
    for event in (one for fact in given for one in chain(case.trace, fact, operands, STEPS)):
        fact = next(iter(operands(event)), None)
        squeezes = ops.is_a(event.op, "squeezes") and fact is not None and event.result.rank == fact.rank
        for source, place in case.found(event.site if squeezes else None, cst.Call, method=True):
            inner = source.operand(place)
            for axis in (axis for axis, size in enumerate(fact.sizes) if size == 1 and inner is not None):
                code = f".squeeze({axis})"
                yield Candidate("squeeze-axis", (source.replace(place, source.atom(inner) + code),), 6, {"code": code})


def _turned(case: Case) -> Iterator[Candidate]:
    """The move of axes, wherever it is written, after which an operand was refused: `rows.T` far above the call."""
    loud = isinstance(case.remedy, Misfit) and case.event is not None
    for fact in operands(case.event)[:2] if loud else ():
        for event in chain(case.trace, fact, operands, STEPS):
            turns = ops.is_a(event.op, "turns") and any(operands(event))
            for source, place in case.found(event.site if turns else None, (cst.Call, cst.Attribute)):
                func = place.node.func if isinstance(place.node, cst.Call) else place.node
                moves = isinstance(func, cst.Attribute) and func.attr.value in TURNS
                if moves and not library(source.text, source.text_of(source.place(func))):
                    owner = source.place(func.value)
                    code = source.text_of(place)[len(source.text_of(owner)) :]
                    yield Candidate("drop", (source.replace(place, source.atom(owner)),), 13, {"code": code})
