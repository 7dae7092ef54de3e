"""A loss has no minimum in the weights of its terms, which are learned, or in a scale.

## What it finds
Parameters that the terms of a loss are multiplied with, whose loss falls all the way as they rise or sink: with
`exp(s) * loss + s`, with plain products `w * loss`, or without a term that holds the weights. Likewise a scale whose
error and whose logarithm enter the loss with the same sign: a normalizing flow whose log-determinant is subtracted
from the log-likelihood, a Gaussian likelihood `error * exp(-s) - s`.

## Why it hurts
The optimizer can lower the loss by the weights instead of the terms: they can fall to zero and switch the terms off, or
below zero and turn their sign. A flow can map everything to one point, a variance can grow without bound.

## Example
    total = (torch.exp(log_var) * losses + log_var).sum()

## Instead
    total = (torch.exp(-log_var) * losses + log_var).sum()

## Fix safety
The sign of a scale's logarithm is turned; how weights are to be held is the author's choice. Weights that their
optimizer maximizes, or whose gradients are hooked, are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.scales import unbounded
from ...graph.training import place
from ...trace import LossWeights, Site, Trace
from ..facts import Facts
from ..remedy import TurnSign

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
    met: set[Site | None] = set()
    for scale, meeting, sign, second in unbounded(trace):
        if meeting.site not in met and scale.site is not None:
            met.add(meeting.site)
            lines = dict.fromkeys((*reversed(meeting.stack[:-1]), scale.site))
            yield Facts(
                meeting.site,
                message="scale",
                why="why_shrinks" if sign > 0 else "why_grows",
                fields={"line": scale.site.line, "op": scale.op},
                origins=tuple(origin for one in lines for origin in place(trace, one)),
                event=meeting.index,
                remedy=TurnSign(term=meeting.site) if second else None,
            )


MESSAGES = {
    "en": {
        "rising": "the loss keeps falling as its learned weights rise",
        "sinking": "the loss keeps falling as its learned weights fall",
        "why_rising": (
            "adding 10, 20 and 1000 to the weights (count: {count}) makes the loss of this step lower each time, so "
            "the optimizer can lower it without learning anything else; exp(-s) * loss + s has a minimum where the "
            "loss is positive"
        ),
        "why_sinking": (
            "subtracting 10, 20 and 1000 from the weights (count: {count}) makes the loss of this step lower each "
            "time, so the optimizer can lower it without learning anything else; exp(-s) * loss + s has a minimum "
            "where the loss is positive"
        ),
        "scale": "the logarithm of a scale has the wrong sign here: the loss has no minimum in the scale",
        "why_shrinks": (
            "the loss grows with what the scale of {op} on line {line} multiplies and also with its logarithm, so a "
            "smaller scale lowers both terms; a log-likelihood needs the logarithm with the opposite sign"
        ),
        "why_grows": (
            "the loss falls as the scale of {op} on line {line} grows, both by what it divides and by its logarithm, "
            "so a larger scale lowers both terms; a log-likelihood needs the logarithm with the opposite sign"
        ),
    },
    "es": {
        "rising": "la pérdida sigue bajando cuando suben sus pesos aprendidos",
        "sinking": "la pérdida sigue bajando cuando bajan sus pesos aprendidos",
        "why_rising": (
            "al sumar 10, 20 y 1000 a los pesos aprendidos ({count}), la pérdida de este paso es cada vez menor, así "
            "que el optimizador puede bajarla sin aprender nada más; exp(-s) * pérdida + s tiene un mínimo si la "
            "pérdida es positiva"
        ),
        "why_sinking": (
            "al restar 10, 20 y 1000 a los pesos aprendidos ({count}), la pérdida de este paso es cada vez menor, así "
            "que el optimizador puede bajarla sin aprender nada más; exp(-s) * pérdida + s tiene un mínimo si la "
            "pérdida es positiva"
        ),
        "scale": "el logaritmo de una escala tiene aquí el signo equivocado: la pérdida no tiene mínimo en la escala",
        "why_shrinks": (
            "la pérdida sube con lo que multiplica la escala de {op} en la línea {line} y también con su logaritmo, "
            "así que una escala menor baja los dos términos; una log-verosimilitud necesita el logaritmo con el signo "
            "contrario"
        ),
        "why_grows": (
            "la pérdida baja cuando crece la escala de {op} en la línea {line}, tanto por lo que divide como por su "
            "logaritmo, así que una escala mayor baja los dos términos; una log-verosimilitud necesita el logaritmo "
            "con el signo contrario"
        ),
    },
    "ja": {
        "rising": "学習される重みが大きくなるほど損失が下がり続けます",
        "sinking": "学習される重みが小さくなるほど損失が下がり続けます",
        "why_rising": (
            "{count} 個の重みを 10、20、1000 大きくすると、このステップの損失はそのたびに下がるため、オプティマイザはほ"
            "かに何も学習せずに損失を下げられます。損失が正なら exp(-s) * 損失 + s には最小値があります"
        ),
        "why_sinking": (
            "{count} 個の重みを 10、20、1000 小さくすると、このステップの損失はそのたびに下がるため、オプティマイザはほ"
            "かに何も学習せずに損失を下げられます。損失が正なら exp(-s) * 損失 + s には最小値があります"
        ),
        "scale": "ここではスケールの対数の符号が逆で、損失はスケールについて最小値を持ちません",
        "why_shrinks": (
            "損失は {line} 行目の {op} のスケールが掛かる値とともに増え、その対数とともにも増えるため、スケールが小さい"
            "ほど両方の項が下がります。対数尤度では対数の符号が反対でなければなりません"
        ),
        "why_grows": (
            "{line} 行目の {op} のスケールが大きくなると、それで割る値によっても対数によっても損失が下がるため、スケー"
            "ルが大きいほど両方の項が下がります。対数尤度では対数の符号が反対でなければなりません"
        ),
    },
}
