"""Samples and their targets are shuffled by two different permutations.

What it finds: a loss whose prediction descends from rows put in the order of one `randperm`, and whose target descends
from equally many rows
put in the order of another.
Why it hurts: every sample is trained against another's target; nothing is left to learn, and nothing raises.
Example: `x, y = x[torch.randperm(n)], y[torch.randperm(n)]`.
Instead: `order = torch.randperm(n); x, y = x[order], y[order]`.
Fix safety: safe where row i of both belongs to one sample.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import TARGET_LOSSES, argument, consumers, one_per_place, operands
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignOrder

code = "SW211"
slug = "samples-and-targets-shuffled-apart"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss whose two sides were shuffled apart."""
    told = set()
    orders = [
        event
        for event in trace.events
        if event.op == "randperm"
        and any(user.op in ("getitem", "index_select") for user in consumers(trace, event.index))
    ]
    if len(orders) < 2:
        return
    for event in (event for event in trace.events if event.site is not None and event.op in TARGET_LOSSES):
        scores, target = argument(event, 0, "input"), argument(event, 1, "target")
        if (
            not isinstance(scores, TensorFact)
            or not isinstance(target, TensorFact)
            or not scores.requires_grad
            or target.requires_grad
        ):
            continue
        left, right = _orders(trace, scores), _orders(trace, target)
        for order, by in left.items():
            for other, against in right.items():
                if (
                    order in right
                    or other in left
                    or by.args[0].shape[0] != against.args[0].shape[0]
                    or against.site in told
                ):
                    continue
                told.add(against.site)
                yield Facts(
                    against.site,
                    fields={
                        "rows": by.args[0].shape[0],
                        "samples": by.args[0].name or "x",
                        "targets": against.args[0].name or "y",
                        "line": by.site.line,
                    },
                    origins=(*place(trace, by.site), *place(trace, event.site)),
                    cause=f"pairing:{against.site.file}:{against.site.line}",
                    event=against.index,
                    remedy=AlignOrder("shuffle"),
                )


def _orders(trace: Trace, fact: TensorFact) -> dict[int, Event]:
    """The `randperm` events by which rows that a tensor descends from were put in order, each with the indexing."""
    found = {}
    for event in ancestors(trace, fact).values():
        if (
            event.op not in ("getitem", "index_select")
            or event.site is None
            or not event.args
            or not isinstance(event.args[0], TensorFact)
        ):
            continue
        source, *indices = operands(event)
        for index in indices:
            made = trace.events[index.producer] if index.producer >= 0 else None
            if (
                made is not None
                and made.op == "randperm"
                and not source.requires_grad
                and source.rank >= 1
                and index.shape == source.shape[:1]
            ):
                found[made.index] = event
    return found


MESSAGES = {
    "en": {
        "message": "{targets} is shuffled with a different permutation than {samples}",
        "why": (
            "the {rows} rows of {samples} (line {line}) and those of {targets} are put in two different random "
            "orders, so samples are trained on the targets of other samples"
        ),
    },
    "es": {
        "message": "{targets} se baraja con una permutación distinta de la de {samples}",
        "why": (
            "las {rows} filas de {samples} (línea {line}) y las de {targets} quedan en dos órdenes aleatorios "
            "distintos: las muestras se entrenan con los objetivos de otras"
        ),
    },
    "ja": {
        "message": "{targets} が {samples} とは別の順列でシャッフルされています",
        "why": (
            "{samples} ({line} 行目) の {rows} 行と {targets} の行は別々の乱数順に並ぶので、"
            "各サンプルがほかのサンプルのターゲットで学習されます"
        ),
    },
}
