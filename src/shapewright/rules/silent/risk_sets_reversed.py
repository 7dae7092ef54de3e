"""The risk sets of a survival loss contain the samples with shorter times.

## What it finds
A partial likelihood (Cox) whose scores are sorted by ascending times and accumulated from the first, so that each event
is compared with the samples whose time is shorter, which are no longer at risk. Only where the accumulated scores are
subtracted from the scores, and flags (1: the event was seen) in the same order pick the terms that count.

## Why it hurts
The loss is not the partial likelihood: the model is trained for a different ranking of the samples. Nothing raises.

## Example
    order = time.argsort()
    score, event = score[order], event[order]
    loss = -((score - score.logcumsumexp(0)) * event).sum() / event.sum()

## Instead
    order = time.argsort(descending=True)

## Fix safety
Times that are sorted in descending order, negated, or turned round before the sum are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, chain, one_per_place, operands, produced
from ...graph.training import ancestors, descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW383"
DEEP = 12


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every sum over sorted scores that begins with the shortest time."""
    masked = {index for index, *_ in trace.data.masked}
    for event in trace.events:
        given = operands(event)
        if event.site is None or not ops.is_a(event.op, "accumulates") or not given or not given[0].requires_grad:
            continue
        sort, rising = _sorted(trace, given[0])
        if sort is None or sort.site is None or not rising or not isinstance(event.result, TensorFact):
            continue
        after = descendants(trace, [event.result])
        if not any(ops.is_a(one.op, "subtracts") for one in after.values()):
            continue
        for one in after.values():
            flags = [fact for fact in operands(one)[1:] if one.index in masked or fact.dtype == "bool"]
            if any(sort.index in ancestors(trace, fact) for fact in flags if not fact.requires_grad):
                yield Facts(
                    sort.site,
                    fields={"line": event.site.line},
                    origins=place(trace, event.site) + place(trace, one.site),
                    remedy=SetArgument("descending", str(not argument(sort, 2, "descending", False))),
                )
                break


def _sorted(trace: Trace, fact: TensorFact) -> tuple[Event | None, bool]:
    """What sorted the samples in whose order some scores are, and whether the least comes first."""
    turned = False
    for event in chain(trace, fact, lambda event: not event.modules, DEEP):
        for index in operands(event)[1:] if ops.is_a(event.op, "picks") else ():
            for made in chain(trace, index, lambda event: not ops.is_a(event.op, "sorts", "points_at"), DEEP):
                turned ^= ops.is_a(made.op, "turns_round")
                if ops.is_a(made.op, "sorts", "points_at"):
                    key = produced(trace, operands(made)[0])
                    negated = key is not None and key.op == "neg"
                    return made, not turned ^ negated ^ bool(argument(made, 2, "descending", False))
        turned ^= ops.is_a(event.op, "turns_round")
    return None, False


MESSAGES = {
    "en": {
        "message": "the risk sets contain the samples with shorter times instead of longer ones",
        "why": (
            "the samples are sorted here by ascending time, and line {line} accumulates from the first sample on. Each "
            "event is compared with samples of shorter times, which are no longer at risk"
        ),
    },
    "es": {
        "message": "los conjuntos en riesgo contienen las muestras con tiempos menores en lugar de mayores",
        "why": (
            "las muestras se ordenan aquí por tiempo ascendente, y la línea {line} acumula desde la primera. Cada "
            "evento se compara con muestras de tiempos menores, que ya no están en riesgo"
        ),
    },
    "ja": {
        "message": "リスク集合に、時間の長いサンプルではなく短いサンプルが入っています",
        "why": (
            "サンプルはここで時間の昇順に並べられ、{line} 行目で先頭から累積されます。各イベントが、時間が短く、すでに"
            "リスクから外れたサンプルと比べられます"
        ),
    },
}
