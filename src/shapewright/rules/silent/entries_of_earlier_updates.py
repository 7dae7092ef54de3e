"""A list keeps the entries of earlier updates, while the lists beside it are emptied.

## What it finds
Lists that `zip` walks through together: those with log-probabilities or values hold the entries since the last update,
another one holds all since the start, or was computed from one that does.

## Why it hurts
`zip` ends with the shortest list, so from the second update on, new log-probabilities are paired with the rewards of
the first episode, and returns run on from one episode into the next. Nothing raises.

## Example
    for log_prob, ret in zip(policy.log_probs, returns(policy.rewards)):
        loss = loss - log_prob * ret
    ...
    policy.log_probs.clear()

## Instead
    policy.log_probs.clear()
    policy.rewards.clear()

## Fix safety
Nothing is reported where the entries of the shorter lists do not learn, or where the longer one does not grow by
exactly what the others hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace
from ..facts import Facts

code = "SW286"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """At the `zip`."""
    for fact in trace.data.outgrown:
        if fact.stack:
            yield Facts(
                fact.stack[-1],
                why="why_named" if fact.name else "why",
                fields={"count": fact.count, "whole": fact.whole, "name": fact.name},
                origins=tuple(origin for one in reversed(fact.stack[:-1]) for origin in place(trace, one)),
            )


MESSAGES = {
    "en": {
        "message": "zip pairs the {count} new entries of one list with the oldest of {whole} entries of another",
        "why": (
            "one list is emptied between updates and the other is not: in the second update, the new entries are "
            "paired with those of the first update. Empty both after each update"
        ),
        "why_named": (
            "{name} is not emptied between updates as the other list is: in the second update, the new entries are "
            "paired with those of the first update. Empty both after each update"
        ),
    },
    "es": {
        "message": (
            "zip empareja los {count} elementos nuevos de una lista con los más antiguos de otra, que tiene {whole}"
        ),
        "why": (
            "una lista se vacía entre actualizaciones y la otra no: en la segunda actualización, los elementos nuevos "
            "se emparejan con los de la primera. Vacía ambas después de cada actualización"
        ),
        "why_named": (
            "{name} no se vacía entre actualizaciones, a diferencia de la otra lista: en la segunda actualización, los "
            "elementos nuevos se emparejan con los de la primera. Vacía ambas después de cada actualización"
        ),
    },
    "ja": {
        "message": "zip が、新しい {count} 個の要素を、別のリストの {whole} 個のうち古いものと組にしています",
        "why": (
            "一方のリストは更新ごとに空にされますが、他方は空にされません。2 回目の更新では、新しい要素が 1 回目の更新"
            "の要素と組になります。更新のたびに両方を空にします"
        ),
        "why_named": (
            "{name} は、他方のリストと違って更新ごとに空にされません。2 回目の更新では、新しい要素が 1 回目の更新の要素"
            "と組になります。更新のたびに両方を空にします"
        ),
    },
}
