"""A loss has no minimum in the learned weights of its terms, or in a scale.

## What it finds
Learned weights of the terms of a loss where the loss keeps falling as the weights increase or decrease: with `exp(s) *
loss + s`, with plain products `w * loss`, or without a term that limits the weights. Likewise a scale whose error term
and whose logarithm enter the loss with the same sign: a normalizing flow whose log-determinant is subtracted from the
log-likelihood, a Gaussian likelihood `error * exp(-s) - s`.

## Why it hurts
The optimizer can lower the loss through the weights instead of the terms: weights can fall to zero and switch their
terms off, or become negative and invert them. A flow can map everything to one point, a variance can grow without
bound.

## Example
    total = (torch.exp(log_var) * losses + log_var).sum()

## Instead
    total = (torch.exp(-log_var) * losses + log_var).sum()

## Fix safety
The sign of a scale's logarithm is inverted; how to limit the weights is the author's choice. Weights that their
optimizer maximizes, or whose gradients are hooked, are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...graph.scales import unbounded
from ...graph.training import place
from ...trace import Event, LossWeights, Site, Trace
from ..facts import Facts
from ..remedy import Remedy, TurnSign

code = "SW386"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss, where its terms meet their weights."""
    met: set[Site | None] = set()
    for told in trace.answers(LossWeights):
        if told.site is None:
            continue
        if told.data.scale:
            scales = (one for one in trace.events if any(part.uid == told.data.scale for part in operands(one)))
            scale = next((one for one in scales if one.modules), None)
            if scale is not None and scale.site is not None:
                met.add(told.site)
                yield _of_scale(trace, told.site, told.stack, scale, 1, told.event)
            continue
        weighed = (one.site for one in trace.events if ops.is_a(one.op, "scales") and told.site in one.stack[:-1])
        near = dict.fromkeys((*weighed, *told.stack[:-1]))
        yield Facts(
            told.site,
            message="rising" if told.data.rising else "sinking",
            why="why_rising" if told.data.rising else "why_sinking",
            fields={"count": told.data.count},
            origins=tuple(origin for one in near for origin in place(trace, one)),
            severity="warning",
        )
    for scale, meeting, sign, second in unbounded(trace):
        if meeting.site not in met and scale.site is not None:
            met.add(meeting.site)
            remedy = TurnSign(term=meeting.site) if second else None
            yield _of_scale(trace, meeting.site, meeting.stack, scale, sign, meeting.index, remedy)


def _of_scale(
    trace: Trace, site: Site, stack: tuple[Site, ...], scale: Event, sign: int, event: int, remedy: Remedy | None = None
) -> Facts:
    lines = dict.fromkeys((*reversed(stack[:-1]), scale.site))
    return Facts(
        site,
        message="scale",
        why="why_shrinks" if sign > 0 else "why_grows",
        fields={"line": scale.site.line if scale.site is not None else 0, "op": scale.op},
        origins=tuple(origin for one in lines for origin in place(trace, one)),
        event=event,
        remedy=remedy,
    )


MESSAGES = {
    "en": {
        "rising": "the loss keeps falling as the learned weights of its terms increase",
        "sinking": "the loss keeps falling as the learned weights of its terms decrease",
        "why_rising": (
            "adding 10, 20 and 1000 to the learned weights ({count} in all) lowers the loss of this step further each "
            "time, so the optimizer can lower the loss without learning anything else. Use exp(-s) * loss + s, which "
            "has a minimum if the loss is positive"
        ),
        "why_sinking": (
            "subtracting 10, 20 and 1000 from the learned weights ({count} in all) lowers the loss of this step "
            "further each time, so the optimizer can lower the loss without learning anything else. Use exp(-s) * loss "
            "+ s, which has a minimum if the loss is positive"
        ),
        "scale": "the logarithm of a scale has the wrong sign in the loss, so no value of the scale minimizes the loss",
        "why_shrinks": (
            "the term that is multiplied by the scale ({op}, line {line}) and the logarithm of the scale both increase "
            "the loss, so a smaller scale lowers both. In a log-likelihood, the logarithm has the opposite sign"
        ),
        "why_grows": (
            "the term that is divided by the scale ({op}, line {line}) and the logarithm of the scale both lower the "
            "loss as the scale grows, so nothing limits the scale. In a log-likelihood, the logarithm has the opposite "
            "sign"
        ),
    },
    "es": {
        "rising": "la pérdida sigue bajando cuando aumentan los pesos aprendidos de sus términos",
        "sinking": "la pérdida sigue bajando cuando disminuyen los pesos aprendidos de sus términos",
        "why_rising": (
            "al sumar 10, 20 y 1000 a los pesos aprendidos ({count} en total), la pérdida de este paso baja cada vez "
            "más, así que el optimizador puede reducirla sin aprender nada más. Conviene usar exp(-s) * pérdida + s, "
            "que tiene un mínimo si la pérdida es positiva"
        ),
        "why_sinking": (
            "al restar 10, 20 y 1000 a los pesos aprendidos ({count} en total), la pérdida de este paso baja cada "
            "vez más, así que el optimizador puede reducirla sin aprender nada más. Conviene usar exp(-s) * pérdida "
            "+ s, que tiene un mínimo si la pérdida es positiva"
        ),
        "scale": (
            "el logaritmo de una escala tiene el signo equivocado en la pérdida, así que ningún valor de la escala "
            "minimiza la pérdida"
        ),
        "why_shrinks": (
            "tanto el término que se multiplica por la escala ({op}, línea {line}) como el logaritmo de la escala "
            "aumentan la pérdida, así que una escala menor reduce los dos. En una log-verosimilitud, el logaritmo "
            "tiene el signo contrario"
        ),
        "why_grows": (
            "tanto el término que se divide entre la escala ({op}, línea {line}) como el logaritmo de la escala "
            "reducen la pérdida cuando la escala crece, así que nada limita la escala. En una log-verosimilitud, el "
            "logaritmo tiene el signo contrario"
        ),
    },
    "ja": {
        "rising": "損失の各項に掛ける学習可能な重みが大きくなるほど、損失が下がり続けます",
        "sinking": "損失の各項に掛ける学習可能な重みが小さくなるほど、損失が下がり続けます",
        "why_rising": (
            "{count} 個の重みに 10、20、1000 を足すと、このステップの損失はそのたびに下がります。オプティマイザは、ほか"
            "に何も学習せずに損失を下げられます。損失が正なら最小値を持つ exp(-s) * 損失 + s を使ってください"
        ),
        "why_sinking": (
            "{count} 個の重みから 10、20、1000 を引くと、このステップの損失はそのたびに下がります。オプティマイザは、ほ"
            "かに何も学習せずに損失を下げられます。損失が正なら最小値を持つ exp(-s) * 損失 + s を使ってください"
        ),
        "scale": "損失の中のスケールの対数の符号が逆で、損失を最小にするスケールの値がありません",
        "why_shrinks": (
            "スケール ({line} 行目の {op}) を掛けた項も、スケールの対数も損失を増やすため、スケールが小さいほど両方が下"
            "がります。対数尤度では、対数の符号は反対です"
        ),
        "why_grows": (
            "スケール ({line} 行目の {op}) が大きくなると、それで割る項も、スケールの対数も損失を下げるため、スケールは"
            "際限なく大きくなります。対数尤度では、対数の符号は反対です"
        ),
    },
}
