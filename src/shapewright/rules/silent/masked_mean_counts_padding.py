"""Masked losses are averaged over all steps, the masked ones included.

## What it finds
One loss per step (`reduction="none"`) that is multiplied by a mask (0 at the padding) and then averaged with `.mean()`;
the sum of the mask is used nowhere.

## Why it hurts
The mean divides by the padded length: the loss of a batch with short sequences counts less, and the number depends on
the padding.

## Example
    loss = (per_token * mask).mean()

## Instead
    loss = (per_token * mask).sum() / mask.sum()

## Fix safety
Safe; the loss gets larger where there is padding.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import TARGET_LOSSES, backward, consumers, operands, produced, result_shape, shown
from ...graph.roles import roles
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import CountMasked
from ..subjects import of_calls

code = "SW218"


CASTS = frozenset(
    {"float", "to", "type", "double", "long", "int", "view", "reshape", "getitem", "contiguous", "half", "flatten"}
)


@of_calls("mul")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every mean over masked losses of steps."""
    pair = operands(event)
    if len(pair) != 2 or pair[0].shape != pair[1].shape or pair[0].rank != 2:
        return
    for loss, mask in (pair, pair[::-1]):
        made, told = produced(trace, loss), _compared(trace, mask)
        if made is None or made.op not in TARGET_LOSSES or not loss.requires_grad or mask.requires_grad or told is None:
            continue
        means = [user for user in consumers(trace, event.index) if user.op == "mean" and result_shape(user) == ()]
        summed = [
            user
            for part in {mask.producer, told.index}
            for user in consumers(trace, part)
            if ops.is_a(user.op, "totals", "counts")
        ]
        if means and not summed:
            yield Facts(
                means[0].site,
                fields={
                    "mask": mask.name or "mask",
                    "shape": shown(mask.shape),
                    "line": told.site.line if told.site else "?",
                },
                origins=place(trace, told.site),
                severity="warning",
                cause=(code, event.site),
                event=means[0].index,
                remedy=CountMasked(),
            )
            break


def _compared(trace: Trace, mask: TensorFact) -> Event | None:
    """The comparison of token numbers with the padding number that made a mask, on a batch padded along time."""
    for event in backward(trace, mask, CASTS):
        if ops.is_a(event.op, "differs", "exceeds"):
            tokens = operands(event)
            return (
                event
                if len(tokens) == 1
                and tokens[0].dtype.startswith("int")
                and tokens[0].rank == 2
                and any(axis.role == "time" or roles(trace).of(axis) == "steps" for axis in tokens[0].axes)
                else None
            )
        if event.op not in CASTS:
            return None
    return None


MESSAGES = {
    "en": {
        "message": "the masked losses are averaged over all steps {shape}, including padding",
        "why": (
            "{mask} (line {line}) sets the losses of padded steps to 0, but the mean still counts these steps; divide "
            "the sum by the number of real steps"
        ),
    },
    "es": {
        "message": "las pérdidas enmascaradas se promedian sobre todos los pasos {shape}, incluido el relleno",
        "why": (
            "{mask} (línea {line}) pone a 0 las pérdidas de los pasos de relleno, pero la media sigue contando esos "
            "pasos; hay que dividir la suma entre el número de pasos reales"
        ),
    },
    "ja": {
        "message": "マスクした損失の和を、パディングを含む全ステップ {shape} の数で割って平均しています",
        "why": (
            "{mask} ({line} 行目) はパディングのステップの損失を 0 にしますが、平均ではそのステップも数えられます。和を"
            "実際のステップ数で割ってください"
        ),
    },
}
