"""A scheduler waits for the wrong direction: `ReduceLROnPlateau` in mode "min" is given an accuracy.

## What it finds
`ReduceLROnPlateau` whose mode, "min" by default, does not fit the metric that its `step` is given: what the metric was
computed from (outputs that equal the targets, a loss) tells its direction or, where that does not, its name.

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

from ...graph.calls import calls, dotted
from ...graph.direction import rises
from ...graph.flow import grouped
from ...graph.source import Source
from ...graph.training import place
from ...lexicon import says
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW338"
OPPOSITE = {"min": "max", "max": "min"}
aliases = ("plateau-mode-turned",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every step of such a scheduler with a figure of the other direction."""
    source = Source(trace)
    for file in trace.sources:
        made = grouped(
            (ast.unparse(node.targets[0]), node.value)
            for node in source.nodes(file)
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.value, ast.Call)
                and dotted(node.value.func).split(".")[-1] == "ReduceLROnPlateau"
            )
        )
        for name, call, site in calls(trace):
            holder, _, method = name.rpartition(".")
            if method != "step" or holder not in made or len(made[holder]) != 1 or site.file != file or not call.args:
                continue
            maker, figure = made[holder][0], _figure(call.args[0])
            mode = next(
                (keyword.value for keyword in maker.keywords if keyword.arg == "mode"),
                maker.args[1] if len(maker.args) > 1 else ast.Constant("min"),
            )
            if not isinstance(mode, ast.Constant):
                continue
            rising = next((told for told in _measured(trace, site) if told is not None), None)
            if rising is None and says(figure, "rises") != says(figure, "falls"):
                rising = says(figure, "rises")
            wanted = "" if rising is None else "max" if rising else "min"
            if OPPOSITE.get(mode.value) == wanted:
                at = source.site(maker, file)
                yield Facts(
                    at,
                    fields={"figure": figure or ast.unparse(call.args[0]), "mode": mode.value, "line": site.line},
                    origins=place(trace, site),
                    severity="warning",
                    remedy=SetArgument("mode", f'"{wanted}"', 1),
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
        "message": 'the scheduler monitors {figure} in mode "{mode}", which is the wrong mode for this value',
        "why": (
            'line {line} passes {figure}; in mode "{mode}" a better value does not count as an improvement, so the '
            "learning rate can be lowered while the value improves"
        ),
    },
    "es": {
        "message": 'el scheduler supervisa {figure} en modo "{mode}", que es el modo equivocado para ese valor',
        "why": (
            'la línea {line} le pasa {figure}; en modo "{mode}" un valor mejor no cuenta como mejora, así que la tasa '
            "de aprendizaje puede bajar mientras el valor mejora"
        ),
    },
    "ja": {
        "message": 'スケジューラは {figure} を "{mode}" モードで監視しており、向きが逆です',
        "why": (
            '{line} 行目で {figure} が渡されます。"{mode}" モードでは改善が改善と見なされず、値が改善しているのに学習'
            "率が下げられることがあります"
        ),
    },
}
