"""A loss has no minimum in the weights of its terms, which are learned.

## What it finds
Parameters that the terms of a loss are multiplied with, whose loss falls all the way as they rise or sink: with
`exp(s) * loss + s`, with plain products `w * loss`, or without a term that holds the weights.

## Why it hurts
The optimizer lowers the loss by the weights instead of the terms: they run to zero and switch the terms off, or below
zero and turn them round.

## Example
    total = (torch.exp(log_var) * losses + log_var).sum()

## Instead
    total = (torch.exp(-log_var) * losses + log_var).sum()

## Fix safety
Nothing is proposed: how the weights are to be held is the author's choice. Weights that their optimizer maximizes, or
whose gradients are hooked, are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.training import place
from ...trace import LossWeights, Trace
from ..facts import Facts

code = "SW386"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss, where its terms meet their weights."""
    for told in trace.answers(LossWeights):
        if told.site is not None:
            met = (one.site for one in trace.events if ops.is_a(one.op, "scales") and told.site in one.stack[:-1])
            near = dict.fromkeys((*met, *told.stack[:-1]))
            yield Facts(
                told.site,
                message="rising" if told.data.rising else "sinking",
                why="why_rising" if told.data.rising else "why_sinking",
                fields={"count": told.data.count},
                origins=tuple(origin for one in near for origin in place(trace, one)),
                severity="warning",
            )


MESSAGES = {
    "en": {
        "rising": "the loss falls without end as its learned weights rise",
        "sinking": "the loss falls without end as its learned weights sink",
        "why_rising": (
            "adding 10, 20 and 1000 to the {count} weights makes the loss of this step lower each time: the "
            "optimizer can lower it without learning anything else; exp(-s) * loss + s has a minimum"
        ),
        "why_sinking": (
            "subtracting 10, 20 and 1000 from the {count} weights makes the loss of this step lower each time: the "
            "optimizer can lower it without learning anything else; exp(-s) * loss + s has a minimum"
        ),
    },
    "es": {
        "rising": "la pérdida baja sin fin cuando suben sus pesos aprendidos",
        "sinking": "la pérdida baja sin fin cuando bajan sus pesos aprendidos",
        "why_rising": (
            "con {count} pesos mayores en 10, en 20 y en 1000, la pérdida de este paso es cada vez menor: el "
            "optimizador puede bajarla sin aprender nada más; exp(-s) * pérdida + s tiene un mínimo"
        ),
        "why_sinking": (
            "con {count} pesos menores en 10, en 20 y en 1000, la pérdida de este paso es cada vez menor: el "
            "optimizador puede bajarla sin aprender nada más; exp(-s) * pérdida + s tiene un mínimo"
        ),
    },
    "ja": {
        "rising": "学習される重みが大きくなるほど損失が限りなく下がります",
        "sinking": "学習される重みが小さくなるほど損失が限りなく下がります",
        "why_rising": (
            "{count} 個の重みを 10、20、1000 大きくすると、このステップの損失はそのたびに下がります。オプティマイザは"
            "ほかに何も学習せずに損失を下げられます。exp(-s) * 損失 + s には最小値があります"
        ),
        "why_sinking": (
            "{count} 個の重みを 10、20、1000 小さくすると、このステップの損失はそのたびに下がります。オプティマイザは"
            "ほかに何も学習せずに損失を下げられます。exp(-s) * 損失 + s には最小値があります"
        ),
    },
}
