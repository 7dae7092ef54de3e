"""A scheduler or a callback waits for the wrong direction: `ReduceLROnPlateau` in mode "min" is given an accuracy.

## What it finds
`ReduceLROnPlateau` whose mode, "min" by default, does not fit the metric that its `step` is given: what the metric was
computed from (outputs that equal the targets, a loss) tells its direction or, where that does not, its name. Also one
that a trainer steps, and early stopping and checkpoints of Lightning, by the name of the figure that they monitor.

## Why it hurts
An improvement counts as none, so the learning rate can be lowered while the metric improves.

## Example
    scheduler = ReduceLROnPlateau(optimizer)
    scheduler.step(val_accuracy)

## Instead
    scheduler = ReduceLROnPlateau(optimizer, mode="max")

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import calls, dotted, every
from ...graph.direction import rises
from ...graph.flow import grouped
from ...graph.imports import library
from ...graph.source import Source
from ...graph.training import place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW338"
OPPOSITE = {"min": "max", "max": "min"}
TRAINERS = frozenset({"lightning", "pytorch_lightning"})
aliases = ("plateau-mode-turned",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every step of such a scheduler with a figure of the other direction."""
    source = Source(trace)
    yield from _monitored(trace, source)
    for file in trace.sources:
        made = _plateaus(source, file)
        for name, call, site in calls(trace):
            holder, _, method = name.rpartition(".")
            if method != "step" or holder not in made or len(made[holder]) != 1 or site.file != file or not call.args:
                continue
            maker, figure = made[holder][0], _figure(call.args[0])
            mode = _mode(maker, 1)
            rising = next((told for told in _measured(trace, site) if told is not None), None)
            wanted = _wanted(figure) if rising is None else "max" if rising else "min"
            if mode is not None and OPPOSITE.get(mode.value) == wanted:
                at = source.site(maker, file)
                yield Facts(
                    at,
                    fields={"figure": figure or ast.unparse(call.args[0]), "mode": mode.value, "line": site.line},
                    origins=place(trace, site),
                    severity="warning",
                    remedy=SetArgument("mode", f'"{wanted}"', 1),
                )


def _plateaus(source: Source, file: str) -> dict[str, list[ast.Call]]:
    """The calls that make such schedulers, by the names that they are bound to."""
    return grouped(
        (ast.unparse(node.targets[0]), node.value)
        for node in source.nodes(file)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _makes(node.value)
    )


def _makes(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] == "ReduceLROnPlateau"


def _mode(maker: ast.Call, place: int | None) -> ast.Constant | None:
    """The mode that a call is given, by keyword or at a place; `None` where it is not written."""
    given = maker.args[place] if place is not None and len(maker.args) > place else ast.Constant("min")
    mode = next((keyword.value for keyword in maker.keywords if keyword.arg == "mode"), given)
    return mode if isinstance(mode, ast.Constant) else None


def _wanted(figure: str) -> str:
    """The mode that fits a figure of this name, empty where its name does not tell."""
    rising, falling = says(figure, "rises"), says(figure, "falls")
    return "" if rising == falling else "max" if rising else "min"


def _monitored(trace: Trace, source: Source) -> Iterator[Facts]:
    """Every scheduler, stop or checkpoint that is told the name of a figure to monitor, in the wrong mode for it."""
    found: list[tuple[ast.Call, ast.AST | None, Site, int | None]] = []
    for node, site in every(trace, ast.Dict):
        told = {key.value: value for key, value in zip(node.keys, node.values) if isinstance(key, ast.Constant)}
        plan = told.get("scheduler")
        named = _plateaus(source, site.file).get(ast.unparse(plan), []) if plan is not None else []
        makers = [plan] if isinstance(plan, ast.Call) and _makes(plan) else named
        found += [(makers[0], told.get("monitor"), site, 1)] if len(makers) == 1 else []
    for name, call, site in calls(trace):
        if library(trace.sources[site.file], name) in TRAINERS:
            found += [(call, one.value, site, None) for one in call.keywords if one.arg == "monitor"]
    for maker, monitor, site, position in found:
        figure = monitor.value if isinstance(monitor, ast.Constant) and isinstance(monitor.value, str) else ""
        mode, wanted = _mode(maker, position), _wanted(figure)
        if mode is not None and OPPOSITE.get(mode.value) == wanted:
            yield Facts(
                source.site(maker, site.file),
                message="monitored",
                why="monitored_why",
                fields={"kind": dotted(maker.func).split(".")[-1], "figure": figure, "mode": mode.value},
                origins=place(trace, source.site(monitor, site.file)) if position is not None else (),
                severity="warning",
                remedy=SetArgument("mode", f'"{wanted}"', position),
            )


def _measured(trace: Trace, site: Site) -> Iterator[bool | None]:
    """Whether the numbers that a scheduler was given at a line rise as the model gets better."""
    for fact in trace.host:
        if fact.kind == "plateau" and fact.site is not None and fact.followed[0]:
            if (fact.site.file, fact.site.line) == (site.file, site.line):
                yield rises(trace, int(fact.operands[0]))


def _figure(node: ast.expr) -> str:
    """The name of a figure: of what is read, not of what is done with it."""
    if isinstance(node, (ast.UnaryOp, ast.BinOp)):
        return ""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        node = node.func.value
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


MESSAGES = {
    "en": {
        "monitored": '{kind} monitors {figure} in mode "{mode}", which is the wrong mode for this value',
        "monitored_why": 'in mode "{mode}" a better value does not count as an improvement, but a worse one does',
        "message": 'the scheduler monitors {figure} in mode "{mode}", which is the wrong mode for this value',
        "why": (
            'line {line} passes {figure}; in mode "{mode}" a better value does not count as an improvement, so the '
            "learning rate can be lowered while the value improves"
        ),
    },
    "es": {
        "monitored": '{kind} supervisa {figure} en modo "{mode}", que es el modo equivocado para ese valor',
        "monitored_why": 'en modo "{mode}" un valor mejor no cuenta como mejora, y uno peor sí',
        "message": 'el scheduler supervisa {figure} en modo "{mode}", que es el modo equivocado para ese valor',
        "why": (
            'la línea {line} le pasa {figure}; en modo "{mode}" un valor mejor no cuenta como mejora, así que la tasa '
            "de aprendizaje puede bajar mientras el valor mejora"
        ),
    },
    "ja": {
        "monitored": '{kind} は {figure} を "{mode}" モードで監視しており、向きが逆です',
        "monitored_why": '"{mode}" モードでは、値の改善が改善と見なされず、悪化が改善と見なされます',
        "message": 'スケジューラは {figure} を "{mode}" モードで監視しており、向きが逆です',
        "why": (
            '{line} 行目で {figure} が渡されます。"{mode}" モードでは改善が改善と見なされず、値が改善しているのに学習'
            "率が下げられることがあります"
        ),
    },
}
