"""One angle is read in degrees at one place and in radians at another.

## What it finds
The output of a model, or a tensor of the script, whose sine or cosine is computed at two places with factors that
differ by 180/pi: at one place it is converted to radians (`torch.deg2rad`, times pi/180), at the other it is not.

## Why it hurts
One of the two places computes with a wrong angle.

## Example
    loss = (angle.cos() - x).pow(2).mean()
    ...
    error = (torch.deg2rad(angle).cos() - x).abs().mean()

## Instead
    loss = (torch.deg2rad(angle).cos() - x).pow(2).mean()

## Fix safety
The conversion is proposed, not applied, since the other line may be the wrong one. Angles whose factors differ by
another number, as in positional encodings, are not reported.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, layer_of, one_per_place, operands, produced
from ...graph.scaling import factor
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW381"
WAVES = frozenset({"sin", "cos", "tan"})
TURNS = {"deg2rad": math.pi / 180, "rad2deg": 180 / math.pi}
DEEP, NEAR = 12, 1e-3


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every sine or cosine of an angle in degrees, where another place converts it."""
    taken: dict[Hashable, list[tuple[float, Event]]] = {}
    for event in trace.events:
        if event.op in WAVES and operands(event) and event.site is not None:
            times, root = _angle(trace, operands(event)[0])
            taken.setdefault(root, []).append((times, event))
    for root, waves in taken.items():
        for times, event in waves:
            converted = next((one for own, one in waves if abs(times / own * math.pi / 180 - 1) < NEAR), None)
            if converted is not None and event.site is not None and converted.site is not None:
                yield Facts(
                    event.site,
                    fields={"op": event.op, "line": converted.site.line},
                    origins=place(trace, converted.site),
                    cause=(code, root),
                    event=event.index,
                    remedy=Rewrite("torch.deg2rad({})", argument=(0, "input"), guessed=True),
                )


def _angle(trace: Trace, fact: TensorFact) -> tuple[float, Hashable]:
    """The number that an angle was multiplied by, and which one it is: the layer that made it, else the tensor
    itself. Of a sum the first part tells."""
    times, made = 1.0, produced(trace, fact)
    for _ in range(DEEP):
        own = None if made is None else TURNS.get(made.op) or factor(made)
        passed = made is not None and (made.op in SAME_VALUES or (ops.is_a(made.op, "adds") and not made.modules))
        if made is None or not operands(made) or not (own or passed):
            break
        times, fact = times * (own or 1.0), operands(made)[0]
        made = produced(trace, fact)
    return times, layer_of(trace, made) if made is not None else fact.uid


MESSAGES = {
    "en": {
        "message": "{op} is given an angle in degrees; line {line} uses the same angle in radians",
        "why": "the angle used here is 180/pi times the one on line {line}; sin, cos and tan expect radians",
    },
    "es": {
        "message": "{op} recibe un ángulo en grados; la línea {line} usa el mismo ángulo en radianes",
        "why": "el ángulo que se usa aquí es 180/pi veces el de la línea {line}; sin, cos y tan esperan radianes",
    },
    "ja": {
        "message": "{op} に角度が度数法で渡されています。{line} 行目では同じ角度がラジアンで使われています",
        "why": "ここで使われる値は {line} 行目の角度の 180/pi 倍です。sin、cos、tan にはラジアンを渡します",
    },
}
