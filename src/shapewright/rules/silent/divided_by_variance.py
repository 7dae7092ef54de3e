"""Centered values are divided by their variance instead of their standard deviation.

## What it finds
`(x - x.mean()) / x.var()`: the difference of values from their own mean is divided by the variance of the same values,
also where the variance is computed by hand, as the mean of the squared differences, and where a small number is added
to it.

## Why it hurts
The result does not have a standard deviation of 1 but of 1 / std: values with a spread of 0.01 become 100 times too
large, values with a spread of 100 become 100 times too small. Advantages, features and layers that are normalized so
change the size of the gradients with the scale of the data.

## Example
    advantage = (advantage - advantage.mean()) / (advantage.var() + 1e-8)

## Instead
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)

## Fix safety
`var` becomes `std` where it is called; no edit is made where the variance is computed by hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, maker, one_per_place, operands, produced, root
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import CallOther

code = "SW278"
of_any_rank = True
KEPT = SAME_VALUES | {"clamp", "clamp_min"}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such quotient."""
    for event in trace.events:
        given = operands(event) if ops.is_a(event.op, "divides") and event.site is not None else []
        if len(given) != 2 or "reflected" in event.flags:
            continue
        centered = _centered(trace, given[0])
        spread = maker(trace, given[1], lambda one: one.op.rstrip("_") in KEPT or _raised(one))
        if centered is None or spread is None or _of(trace, spread) != centered or event.site is None:
            continue
        yield Facts(
            event.site,
            fields={"line": spread.site.line if spread.site is not None else 0, "op": event.op},
            origins=place(trace, spread.site) if spread.site != event.site else (),
            event=event.index,
            remedy=CallOther("std", spread.site) if spread.op == "var" and spread.site is not None else None,
        )


def _centered(trace: Trace, fact: TensorFact) -> Hashable | None:
    """The values from which their own mean is subtracted."""
    made = maker(trace, fact, lambda one: one.op.rstrip("_") in SAME_VALUES)
    given = operands(made) if made is not None and ops.is_a(made.op, "subtracts") else []
    mean = maker(trace, given[1], lambda one: one.op.rstrip("_") in SAME_VALUES) if len(given) == 2 else None
    if mean is None or mean.op != "mean" or not operands(mean):
        return None
    values = _values(trace, given[0])
    return values if _values(trace, operands(mean)[0]) == values else None


def _of(trace: Trace, spread: Event) -> Hashable | None:
    """The values whose variance an event is."""
    given = operands(spread)
    if spread.op == "var":
        return _values(trace, given[0]) if given else None
    square = produced(trace, given[0]) if spread.op == "mean" and given else None
    if square is None or not (ops.is_a(square.op, "powers") and 2 in (*square.args[1:], 2 * (square.op == "square"))):
        return None
    return _centered(trace, operands(square)[0])


def _raised(event: Event) -> bool:
    """Whether a plain number is added to a tensor."""
    return event.op.rstrip("_") == "add" and len(operands(event)) == 1


def _values(trace: Trace, fact: TensorFact) -> Hashable:
    """What tells values from others: the same rows picked twice from one tensor are the same."""
    fact = root(trace, fact, lambda one: one.op.rstrip("_") in SAME_VALUES and one.op != "getitem")
    made = produced(trace, fact)
    if made is not None and ops.is_a(made.op, "cuts", "takes", "picks") and operands(made):
        return (made.op, *(part.uid for part in operands(made)), *(str(part) for part in made.args[1:]))
    return fact.uid


MESSAGES = {
    "en": {
        "message": "centered values are divided by their variance, not by their standard deviation",
        "why": (
            "the variance is computed from the same values (line {line}). Divided by it, values with a standard "
            "deviation s get the standard deviation 1 / s instead of 1"
        ),
    },
    "es": {
        "message": "valores centrados se dividen entre su varianza, no entre su desviación típica",
        "why": (
            "la varianza se calcula con los mismos valores (línea {line}). Divididos entre ella, unos valores con "
            "desviación típica s pasan a tener la desviación típica 1 / s en lugar de 1"
        ),
    },
    "ja": {
        "message": "中心化した値を、標準偏差ではなく分散で割っています",
        "why": (
            "分散は同じ値から計算されています ({line} 行目)。標準偏差が s の値を分散で割ると、標準偏差は 1 ではなく "
            "1 / s になります"
        ),
    },
}
