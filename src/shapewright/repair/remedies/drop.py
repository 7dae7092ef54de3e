"""Takes away a method call that eats or adds an axis: an over-eager `squeeze`, a needless `unsqueeze`, `permute` or
`transpose`; or names its axis."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, produced
from ...graph.imports import library
from ...rules.remedy import AlignAxes, BatchFirst, Misfit, NameAxis, Refold, TurnAxes
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
        "en": "merge different axes: {code}",
        "es": "unir otros ejes: {code}",
        "ja": "別の軸をまとめる: {code}",
    },
    "item": {
        "en": "accumulate numbers, not graphs: {code}",
        "es": "acumular números, no grafos: {code}",
        "ja": "計算グラフではなく数値を足す: {code}",
    },
    "squeeze-axis": {
        "en": "name the axis to remove: {code}",
        "es": "nombrar el eje que se elimina: {code}",
        "ja": "取り除く軸を明示する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the finding's line, its callers' and its origins'; where the axes of what was refused were turned."""
    yield from _turned(case)
    sites = [case.site, *(origin.site for origin in case.facts.origins if origin.site)]
    for index, site in enumerate(dict.fromkeys((s.file, s.line) for s in sites)):
        source = case.source(site[0])
        statement = source.statement(site[1]) if source else None
        if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
            continue
        for place in source.within(statement, cst.Call):
            func = place.node.func
            if (
                not isinstance(func, cst.Attribute)
                or func.attr.value not in DROPPED
                or not place.line <= site[1] <= place.end_line
            ):
                continue
            if library(source.text, source.text_of(source.place(func))):
                continue
            name = func.attr.value
            inner = source.atom(source.place(func.value))
            rank = 7 if ops.is_a(name, "turns") and case.misfit.swap_with is not None else 12 + min(3 * index, 9)
            yield Candidate(
                "drop",
                (source.replace(place, inner),),
                max(rank, 11),
                {"code": f".{name}(…)" if place.node.args else f".{name}()"},
                doubt="guessed" if name in COMPUTES else "",
            )
            if name == "flatten" and not place.node.args:
                edit = source.replace(place, f"{inner}.flatten(1)")
                yield Candidate("per-sample", (edit,), 6, {"code": ".flatten(1)"})
            if name == "squeeze":
                if not place.node.args:  # several axes of one, as an adaptive pooling leaves: all but the batch
                    yield Candidate(
                        "squeeze-axis", (source.replace(place, f"{inner}.flatten(1)"),), rank, {"code": ".flatten(1)"}
                    )
                for dim in ("-1", "1", "0"):
                    if not place.node.args or source.code(place.node.args[0].value) != dim:
                        yield Candidate(
                            "squeeze-axis",
                            (source.replace(place, f"{inner}.squeeze({dim})"),),
                            rank - (0 if place.node.args else 1) - (dim == "-1") + bool(place.node.args),
                            {"code": f".squeeze({dim})"},
                        )
            if name == "unsqueeze" and place.node.args and index == 0:
                now = source.code(place.node.args[0].value)
                for dim in ("0", "1", "2", "-1"):
                    if dim != now:
                        yield Candidate(
                            "add-axis",
                            (source.replace(place, f"{inner}.unsqueeze({dim})"),),
                            19,
                            {"code": f".unsqueeze({dim})"},
                        )
            for order in _orders(source, place) if name in REORDERED else ():
                edit, code = source.replace(place, f"{inner}.{name}({order})"), f".{name}({order})"
                yield Candidate(REORDERED[name], (edit,), rank - 2, {"code": code})
            if name == "transpose" and len(place.node.args) == 2:
                for order in ("0, 1", "1, 2", "-2, -1"):
                    yield Candidate(
                        "permute",
                        (source.replace(place, f"{inner}.transpose({order})"),),
                        rank - 1,
                        {"code": f".transpose({order})"},
                    )


def _orders(source: Source, call: Place) -> Iterator[str]:
    """The arguments of a `permute` with an axis that it names twice replaced by one that it leaves out, or else in
    another order; other first and last axes of a `flatten`."""
    try:
        now = [int(source.code(argument.value)) for argument in call.node.args]
    except ValueError:
        return
    if call.node.func.attr.value == "flatten":
        yield from (", ".join(map(str, pair)) for pair in ([0, 1], [0, -2], [1]) if now and pair != now)
        return
    missing = [axis for axis in range(len(now)) if axis not in now]
    places = [at for at, axis in enumerate(now) if now.count(axis) > 1]
    found = [[axis if at == place else old for at, old in enumerate(now)] for axis in missing for place in places]
    if not missing and len(now) == 3:
        found = [list(order) for order in itertools.permutations(range(3)) if list(order) not in (now, [0, 1, 2])]
    for order in found:
        if len(set(order)) == len(order):
            yield ", ".join(map(str, order))


def _turned(case: Case) -> Iterator[Candidate]:
    """The move of axes, wherever it is written, after which an operand was refused: `rows.T` far above the call."""
    loud = isinstance(case.remedy, Misfit) and case.event is not None
    for fact in operands(case.event)[:2] if loud else ():
        for _ in range(STEPS):
            event = produced(case.trace, fact)
            given = next(iter(operands(event)), None) if event is not None else None
            if given is None:
                break
            source = case.source(event.site.file) if ops.is_a(event.op, "turns") and event.site is not None else None
            place = source.at(event.site, (cst.Call, cst.Attribute)) if source is not None else None
            node = place.node if place is not None else None
            func = node.func if isinstance(node, cst.Call) else node
            moves = isinstance(func, cst.Attribute) and func.attr.value in TURNS
            if moves and not library(source.text, source.text_of(source.place(func))):
                code = source.text_of(place)[len(source.text_of(source.place(func.value))) :]
                yield Candidate(
                    "drop", (source.replace(place, source.atom(source.place(func.value))),), 13, {"code": code}
                )
            fact = given
