"""The bootstrap target takes the larger of the values of two critics.

## What it finds
A reward plus the discounted maximum, value by value, of what two networks say of the next state, while two networks are
trained on this one target: the twin critics of TD3 and SAC, whose target takes the minimum. Where the minimum is taken
as well, nothing is reported.

## Why it hurts
Each critic overestimates some actions by chance. The larger of two values adds both errors up, the policy seeks the
actions whose values are too high, and the values can grow without bound.

## Example
    target = reward + gamma * torch.max(q1_target(s2, a2), q2_target(s2, a2))

## Instead
    target = reward + gamma * torch.min(q1_target(s2, a2), q2_target(s2, a2))

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import PASSED, PRODUCTS, SUMS, bootstraps, compared
from ...graph.flow import SAME_VALUES, lineage, maker, one_per_place, operands
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import CallOther

code = "SW279"
of_any_rank = True
SMALLER = {"max": "min", "maximum": "minimum", "fmax": "fmin"}
THROUGH = PASSED | PRODUCTS | SUMS | {"neg"}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such maximum in a target that several networks learn from."""
    for found in bootstraps(trace):
        ways = list(lineage(trace, found.ahead, lambda one: operands(one) if _between(one) else (), 60))
        pairs = [one for one in ways if ops.is_a(one.op, "extremes") and len(operands(one)) == 2]
        larger = next((one for one in pairs if one.op in SMALLER and len(_networks(trace, *operands(one))) == 2), None)
        if larger is None or larger.site is None or any(one.op in SMALLER.values() for one in pairs):
            continue
        learned = [value for _, value, target in compared(trace) if target.uid == found.target.uid]
        if len(_networks(trace, *learned)) < 2:
            continue  # a network of each action
        yield Facts(
            larger.site,
            fields={"op": larger.op, "line": found.loss.site.line if found.loss.site is not None else 0},
            origins=place(trace, found.loss.site),
            event=larger.index,
            remedy=CallOther(SMALLER[larger.op]),
        )


def _between(event: Event) -> bool:
    """Whether an operator lies between the networks' values and the target."""
    return not event.modules and (event.op in THROUGH or ops.is_a(event.op, "extremes"))


def _networks(trace: Trace, *facts: TensorFact) -> set[tuple[int, ...]]:
    """The networks that gave some values, each by the layers that the last call was made in."""
    made = (maker(trace, fact, lambda one: not one.modules and one.op.rstrip("_") in SAME_VALUES) for fact in facts)
    return {one.modules for one in made if one is not None and one.modules}


MESSAGES = {
    "en": {
        "message": "the bootstrap target takes the larger of the values of two critics",
        "why": (
            "both critics are trained on this target (line {line}). Their errors are random: {op} prefers the value "
            "that is too high, the target rises with it, and the policy seeks such actions. Twin critics need the "
            "smaller value"
        ),
    },
    "es": {
        "message": "el objetivo de bootstrap toma el mayor de los valores de dos críticos",
        "why": (
            "los dos críticos se entrenan con este objetivo (línea {line}). Sus errores son aleatorios: {op} prefiere "
            "el valor demasiado alto, el objetivo sube con él y la política busca esas acciones. Dos críticos gemelos "
            "necesitan el menor valor"
        ),
    },
    "ja": {
        "message": "ブートストラップのターゲットが、2 つの critic の値の大きい方を取っています",
        "why": (
            "どちらの critic もこのターゲットで学習します ({line} 行目)。誤差はランダムなため、{op} は高すぎる値を選び"
            "、ターゲットもそれとともに上がり、方策はそのような行動を選びます。2 つの critic では小さい方の値が必要です"
        ),
    },
}
