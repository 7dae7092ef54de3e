"""A loss or a distribution gets values for probabilities that are none.

## What it finds
A failing `binary_cross_entropy` whose input or target is not within 0 to 1: scores without a sigmoid, pixels that were
normalized to -1 to 1, labels counted from 1. A distribution whose `probs` are not probabilities.

## Why it hurts
The script stops; the loss on a GPU may report a device-side assertion later, at another line.

## Example
    loss = nn.BCELoss()(head(x), y)               # head ends with a Linear

## Instead
    loss = nn.BCEWithLogitsLoss()(head(x), y)

## Fix safety
A sigmoid in the model with `BCELoss` and `BCEWithLogitsLoss` without one compute the same loss, up to rounding; the
latter is numerically more stable. Which one is chosen decides whether the model returns probabilities or logits.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import RESHAPING, backward
from ...graph.origins import Origins, blend
from ...trace import Event, Origin, Trace
from ...trace.said import NoProbabilities
from ..facts import Facts
from ..failing import Call, refused, spans
from ..remedy import Remedy, Rewrite, Squash

code = "SW144"
THROUGH = RESHAPING | {"float", "contiguous", "clone"}
CODES = {(-1, 1): "({} + 1) / 2", (1, 2): "{} - 1", (0, 255): "{} / 255"}  # what brings the usual ranges to 0 to 1


def check(trace: Trace) -> Iterator[Facts]:
    """The failing loss or distribution."""
    yield from _loss(trace)
    failure = trace.failure
    refusal = failure.told(NoProbabilities) if failure is not None else None
    if failure is not None and refusal is not None and failure.site is not None:
        yield Facts(failure.site, "chances", "logits", {"distribution": refusal.distribution}, remedy=Squash(-1))


@refused("takes_probabilities")
def _loss(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing loss, and the first of its operands that leaves the range."""
    for operand, why in {"input": "scores", "target": "why"}.items():
        fact = call.tensor(operand)
        span = fact.value if fact is not None and isinstance(fact.value, tuple) else (0, 0)
        if fact is None or not (span[0] < 0 or span[1] > 1):  # a NaN is neither
            continue
        made = next((one for one in backward(origins.trace, fact, THROUGH) if one.op not in THROUGH), None)
        yield Facts(
            call.site,
            why=why,
            fields={
                "loss": call.op,
                "name": fact.name or operand,
                "least": f"{span[0]:.4g}",
                "greatest": f"{span[1]:.4g}",
            },
            origins=blend(
                [Origin("operator", origins.source.site_text(made.site), made.site, made.stack)] if made else [],
                origins.of_module(call.layer),
                origins.of_rank(fact),
            ),
            spans=spans(call, "input", "target"),
            remedy=_remedy(call, operand, made, span),
        )
        return


def _remedy(call: Call, operand: str, made: Event | None, span: tuple[float, float]) -> Remedy | None:
    """What is no probability becomes one: scores by a sigmoid, targets of a usual code or scale by that of 0 to 1."""
    if operand == "input":
        return Squash(made.index if made is not None else -1, call.layer.uid if call.layer is not None else -1)
    usual = next((code for (least, most), code in CODES.items() if span == (least, most)), None)
    return Rewrite(usual, argument=(1, "target"), guessed=True) if usual is not None else None


MESSAGES = {
    "en": {
        "message": "{loss} expects values from 0 to 1, but {name} goes from {least} to {greatest}",
        "chances": "{distribution} got values for probs that are not probabilities",
        "logits": "pass unnormalized scores as logits=…: the distribution applies the softmax or the sigmoid to them",
        "why": "targets must be probabilities: 0, 1 or a number between them",
        "scores": (
            "the input must be probabilities, such as the output of a sigmoid: every value must be between 0 and 1"
        ),
    },
    "es": {
        "message": "{loss} espera valores de 0 a 1, pero {name} va de {least} a {greatest}",
        "chances": "{distribution} recibe en probs valores que no son probabilidades",
        "logits": (
            "las puntuaciones sin normalizar deben pasarse con logits=…: la distribución les aplica la softmax o la "
            "sigmoide"
        ),
        "why": "los objetivos deben ser probabilidades: 0, 1 o un número entre ambos",
        "scores": (
            "la entrada debe contener probabilidades, como la salida de una sigmoide: todos los valores deben estar "
            "entre 0 y 1"
        ),
    },
    "ja": {
        "message": "{loss} には 0〜1 の値が必要ですが、{name} は {least}〜{greatest} です",
        "chances": "{distribution} の probs に確率ではない値が渡されました",
        "logits": "正規化されていないスコアは logits に渡してください。softmax やシグモイドは分布の側で適用されます",
        "why": "ターゲットは確率、つまり 0、1、またはその間の数でなければなりません",
        "scores": (
            "入力は、シグモイドの出力のような確率でなければなりません。すべての値が 0 以上 1 以下である必要があります"
        ),
    },
}
