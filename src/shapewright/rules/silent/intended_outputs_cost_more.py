"""A loss is larger for the outputs that it should teach than for others.

## What it finds
A training loss that is computed again with other outputs in place of those of the model: a contrastive loss that is
larger where both views of each sample have equal outputs than where all outputs are random; a quantile loss that is
larger for the targets' quantiles of its levels than for those of one minus the levels; a loss that is larger for
outputs that agree with the targets than for those that agree with the targets of other samples.

## Why it hurts
The loss falls, and the model learns the opposite: views of one sample are pushed apart, the 0.1 quantile becomes the
0.9 quantile, the wrong class becomes likely. Nothing raises.

## Example
    z = torch.stack([a, b], dim=1).flatten(0, 1)          # a0, b0, a1, b1, ...
    partners = (torch.arange(2 * n) + n) % (2 * n)        # those of a0, a1, ..., b0, b1, ...

## Instead
    z = torch.cat([a, b])

## Fix safety
Views belong to one sample where the inputs share an axis of samples, or each input is by far the nearest to one other.
Nothing is reported where labels or weights of the samples enter the loss beside them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.training import place
from ...trace import Event, IdealAnswers, Trace
from ..facts import Facts
from ..remedy import SwapSides

code = "SW359"
MOST = 8


def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss, at the call in which outputs and targets meet."""
    for told in trace.answers(IdealAnswers):
        data = told.data
        if told.site is None:
            continue
        near = (trace.events[at] for at in data.events if 0 <= at < len(trace.events))
        near = list(near)
        lines = dict.fromkeys(site for event in near for site in reversed(event.stack[-2:]))
        apart = [one.site for one in near if one.op == "sub" and one.site and _one_learns(one)]
        yield Facts(
            told.site,
            message=data.kind,
            why=f"why_{data.kind}",
            fields={
                "model": data.model,
                "samples": data.samples,
                "ideal": f"{data.ideal:.3g}",
                "other": f"{data.other:.3g}",
            },
            origins=tuple(origin for site in list(lines)[:MOST] if site != told.site for origin in place(trace, site)),
            remedy=SwapSides("difference", tuple(dict.fromkeys(apart))) if data.kind == "quantiles" else None,
        )


def _one_learns(event: Event) -> bool:
    """Whether one side of a difference has a gradient."""
    return len({fact.requires_grad for fact in operands(event)[:2]}) == 2


MESSAGES = {
    "en": {
        "views": "this loss pushes apart the two views of each sample",
        "why_views": (
            "with equal outputs of {model} for both views of each of {samples} samples the loss is {ideal}, with "
            "random outputs {other}: each row has another sample's row as its positive"
        ),
        "quantiles": "this loss teaches {model} the quantiles of one minus its levels",
        "why_quantiles": (
            "with the targets' quantiles of the levels as outputs the loss is {ideal}, with those of one minus the "
            "levels {other}: the sign of the difference between output and target is swapped"
        ),
        "targets": "this loss is larger where the outputs of {model} agree with their targets",
        "why_targets": (
            "with outputs that agree with the {samples} targets the loss is {ideal}, with outputs that agree with the "
            "targets of other samples {other}"
        ),
    },
    "es": {
        "views": "esta pérdida separa las dos vistas de cada muestra",
        "why_views": (
            "con salidas iguales de {model} para ambas vistas de cada una de {samples} muestras la pérdida es {ideal}, "
            "con salidas al azar {other}: cada fila tiene como positiva la fila de otra muestra"
        ),
        "quantiles": "esta pérdida enseña a {model} los cuantiles de uno menos sus niveles",
        "why_quantiles": (
            "con los cuantiles de los objetivos en los niveles como salidas la pérdida es {ideal}, con los de uno "
            "menos los niveles {other}: el signo de la diferencia entre salida y objetivo está cambiado"
        ),
        "targets": "esta pérdida es mayor cuando las salidas de {model} coinciden con sus objetivos",
        "why_targets": (
            "con salidas que coinciden con los {samples} objetivos la pérdida es {ideal}, con salidas que coinciden "
            "con los objetivos de otras muestras {other}"
        ),
    },
    "ja": {
        "views": "この損失は各サンプルの 2 つのビューを引き離します",
        "why_views": (
            "{samples} サンプルの両方のビューで {model} の出力が等しいとき損失は {ideal}、出力が乱数のときは {other} "
            "です。各行の正例が別のサンプルの行になっています"
        ),
        "quantiles": "この損失は {model} に 1 から水準を引いた分位点を学習させます",
        "why_quantiles": (
            "出力がターゲットの各水準の分位点のとき損失は {ideal}、1 から水準を引いた分位点のときは {other} です。"
            "出力とターゲットの差の符号が逆です"
        ),
        "targets": "この損失は {model} の出力がターゲットと一致するほうが大きくなります",
        "why_targets": (
            "出力が {samples} 個のターゲットと一致するとき損失は {ideal}、ほかのサンプルのターゲットと一致するときは "
            "{other} です"
        ),
    },
}
