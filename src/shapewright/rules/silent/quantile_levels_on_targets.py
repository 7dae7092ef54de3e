"""Quantile levels lie along the targets instead of along the predictions.

## What it finds
A quantile regression over all pairs of predicted and target quantiles, `(batch, n, n)`, whose levels are aligned with
the axis of the targets.

## Why it hurts
Each level then weights a target, not a prediction: no prediction has its own level, so all predictions are drawn to the
same value. Nothing raises, since both axes have the same size.

## Example
    td = target.unsqueeze(2) - theta.unsqueeze(1)                  # (batch, targets, predictions)
    loss = ((tau.view(1, -1, 1) - (td < 0).float()).abs() * huber(td)).mean()

## Instead
    td = target.unsqueeze(1) - theta.unsqueeze(2)                  # (batch, predictions, targets)

## Fix safety
Turn either the table of pairs or the levels, not both.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import chain, operands, shown
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span
from ..remedy import AlignOrder
from ..subjects import of_calls

code = "SW233"
SAME = frozenset({"float", "to", "detach", "double", "type", "type_as", "bool"})


@of_calls("subtracts")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every difference of levels and signs in which the levels' axis is not the learnt side's."""
    given = [fact for fact in operands(event) if fact.rank >= 1]
    if len(given) != 2:
        return
    for levels, signs in (given, reversed(given)):
        table = _table(trace, signs)
        at = _along(levels) if table is not None and not levels.requires_grad else None
        if at is None:
            continue
        sides = operands(table)[:2]
        learnt, other = sides if sides[0].requires_grad else reversed(sides)
        if learnt.shape[at] == 1 and other.shape[at] == levels.shape[at] > 2:
            yield Facts(
                event.site,
                fields={
                    "levels": levels.name or "levels",
                    "shape": shown(levels.shape),
                    "table": shown(signs.shape),
                    "n": levels.shape[at],
                    "axis": signs.rank + at,
                },
                origins=(Origin("operator", "sub", table.site, table.stack, shown(signs.shape)),) if table.site else (),
                spans=(Span(event.site, f"{levels.name or 'levels'} {shown(levels.shape)} · {shown(signs.shape)}"),),
                event=event.index,
                remedy=AlignOrder("pairs"),
            )


def _table(trace: Trace, fact: TensorFact) -> Event | None:
    """The subtraction of all pairs whose sign a tensor tells, one side of it learnt."""
    compared = False
    for event in chain(trace, fact, lambda _: True, 8):
        given = operands(event)
        if ops.is_a(event.op, "orders"):
            compared = True
        elif event.op == "sub" and compared:
            sides = given[:2]
            fits = (
                len(sides) == 2
                and all(part.rank >= 2 for part in sides)
                and {tuple(n > 1 for n in part.shape[-2:]) for part in sides} == {(True, False), (False, True)}
            )
            return event if fits and sides[0].requires_grad != sides[1].requires_grad else None
        elif event.op not in SAME:
            break
    return None


def _along(levels: TensorFact) -> int | None:
    """The one of the last two axes, -2 or -1, along which levels run."""
    shape = (1, *levels.shape)[-2:] if levels.rank == 1 else levels.shape[-2:]
    long = [place for place, n in zip((-2, -1), shape) if n > 1]
    return long[0] if len(long) == 1 else None


MESSAGES = {
    "en": {
        "message": (
            "in the tensor of all pairs {table}, the {n} quantile levels {shape} broadcast along the axis of the "
            "targets, not along that of the predictions"
        ),
        "why": (
            "axis {axis} of that tensor holds the targets, so each level weights a target. The levels belong to the "
            "predictions, which are on the other axis"
        ),
    },
    "es": {
        "message": (
            "en el tensor de todos los pares {table}, el broadcasting alinea los {n} niveles de cuantil {shape} con el "
            "eje de los objetivos, no con el de las predicciones"
        ),
        "why": (
            "el eje {axis} de ese tensor es el de los objetivos, así que cada nivel pondera un objetivo. Sin embargo, "
            "los niveles corresponden a las predicciones, que están en el otro eje"
        ),
    },
    "ja": {
        "message": (
            "すべての組のテンソル {table} で、{n} 個の分位水準 {shape} が予測の軸ではなくターゲットの軸に沿ってブロード"
            "キャストされます"
        ),
        "why": (
            "このテンソルの軸 {axis} はターゲットの軸なので、各水準がターゲットの重みになります。水準はもう一方の軸にあ"
            "る予測に対応するものです"
        ),
    },
}
