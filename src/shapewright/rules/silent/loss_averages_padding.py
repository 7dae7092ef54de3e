"""A loss over time counts padded steps.

## What it finds
A cross-entropy over the steps of a padded batch whose targets at padding are an ordinary class, not the ignored one; or
any loss whose gradient is not zero at padding, as with an inverted mask, or with lengths that include the padding. Also
a mask that is shifted by one step against the targets, so that the first padded step after the end of a sequence counts
as a target.

## Why it hurts
The model is also trained to predict padding, which is easy: the loss can look low, and real steps weigh less in it.

## Example
    # cross_entropy(logits.flatten(0, 1), targets.flatten()) with targets padded with 0.

## Instead
    # ignore_index=0, or targets padded with -100.

## Fix safety
Safe where the padding number is no real class.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...graph.probed import constructed, line_of
from ...graph.training import made_at, place
from ...trace import Event, Origin, PaddingInLoss, TensorFact, Trace
from ..facts import Facts
from ..remedy import HidePadding, Remedy, Shift, TurnMask

code = "SW264"


def check(trace: Trace) -> Iterator[Facts]:
    for answer in trace.answers(PaddingInLoss):
        if answer.site is None:
            continue
        data, where = answer.data, answer.data.where
        event = trace.event(data.event)
        layer = constructed(trace, event.modules) if event is not None else ()
        padding = (Origin("padding", line_of(trace, where), where),) if where is not None else ()
        if data.kind:
            kind = "only" if data.only else data.kind
            yield Facts(
                answer.site,
                message=kind,
                why=f"why_{kind}",
                fields={"counted": data.counted, "of": data.of},
                origins=tuple(origin for site in data.marks for origin in place(trace, site)) + layer + padding,
                severity="error" if data.only else "warning",
                event=data.event,
                remedy=_remedy(kind, data),
            )
            continue
        yield Facts(
            answer.site,
            fields={
                "counted": data.counted,
                "of": data.of,
                "value": data.value,
                "share": f"{data.share:.0%}",
            },
            origins=padding + layer + made_at(trace, _target(event), event.site if event is not None else None),
            severity="warning",
            event=data.event,
            remedy=HidePadding("loss", data.value, data.ends),
        )


def _remedy(kind: str, data: PaddingInLoss) -> Remedy:
    if kind == "late":
        return Shift(places=data.marks)
    return TurnMask(next(iter(data.marks), None)) if kind == "only" else HidePadding("targets")


def _target(event: Event | None) -> TensorFact | None:
    return next(iter(operands(event)[1:2]), None) if event is not None else None


MESSAGES = {
    "en": {
        "only": "only padding contributes to the loss, and no real step does",
        "why_only": (
            "the loss depends on the outputs of the model at {counted} of {of} padded positions, and at no real "
            "position: the padding mask seems to be inverted"
        ),
        "moved": "the loss depends on the outputs of the model at padded positions",
        "why_moved": (
            "the gradient of the loss is not zero at {counted} of {of} padded positions; exclude these positions with "
            "a mask, the lengths or ignore_index"
        ),
        "late": "the loss includes the first step of padding after the end of a sequence",
        "why_late": (
            "in {counted} of {of} sequences, the target of the last step in the loss is already padding, and no later "
            "step is in the loss: the mask and the targets seem to be shifted by one step"
        ),
        "message": "the loss includes padding: {counted} of its {of} targets ({share}) are padded steps",
        "why": (
            "the target at these steps is {value}, which the loss treats as a class. Pad the targets with the "
            "ignore_index of the loss (-100 by default), or set ignore_index={value} if {value} is not a real class"
        ),
    },
    "es": {
        "only": "a la pérdida solo contribuye el relleno; ningún paso real contribuye",
        "why_only": (
            "la pérdida depende de las salidas del modelo en {counted} de {of} posiciones de relleno, y en ninguna "
            "posición real: la máscara de relleno parece invertida"
        ),
        "moved": "la pérdida depende de las salidas del modelo en posiciones de relleno",
        "why_moved": (
            "el gradiente de la pérdida no es cero en {counted} de {of} posiciones de relleno; hay que excluir esas "
            "posiciones con una máscara, las longitudes o ignore_index"
        ),
        "late": "la pérdida incluye el primer paso de relleno tras el final de una secuencia",
        "why_late": (
            "en {counted} de {of} secuencias, el objetivo del último paso incluido en la pérdida ya es relleno, y "
            "ningún paso posterior se incluye: la máscara y los objetivos parecen desplazados un paso"
        ),
        "message": "la pérdida incluye el relleno: {counted} de sus {of} objetivos ({share}) son pasos de relleno",
        "why": (
            "el objetivo de esos pasos es {value}, que la pérdida trata como una clase. Hay que rellenar los "
            "objetivos con el ignore_index de la pérdida (-100 por defecto), o usar ignore_index={value} si {value} "
            "no es una clase real"
        ),
    },
    "ja": {
        "only": "損失に影響しているのはパディングだけです。実際のステップは影響しません",
        "why_only": (
            "損失に影響するモデルの出力は、パディングの位置 ({of} 個中 {counted} 個) のものだけで、実際の位置のものはあ"
            "りません。パディングを示すマスクが逆のようです"
        ),
        "moved": "損失がパディングの位置でのモデルの出力に依存しています",
        "why_moved": (
            "パディングの位置 {of} 個のうち {counted} 個で損失の勾配が 0 ではありません。マスク、長さ、ignore_index の"
            "いずれかで、これらの位置を除いてください"
        ),
        "late": "損失に、系列の終わりに続く最初のパディングのステップが含まれています",
        "why_late": (
            "{of} 系列中 {counted} 系列で、損失に含まれる最後のステップのターゲットがすでにパディングです (それより後の"
            "ステップは含まれません)。マスクとターゲットが 1 ステップずれているようです"
        ),
        "message": (
            "損失にパディングが含まれています。ターゲット {of} 個のうち {counted} 個 ({share}) "
            "がパディングのステップです"
        ),
        "why": (
            "これらのステップのターゲットは {value} で、損失はこれを 1 つのクラスとして扱います。ターゲットを損失の "
            "ignore_index (既定は -100) でパディングするか、{value} が実際のクラスでなければ ignore_index={value} "
            "にします"
        ),
    },
}
