"""An adversarial perturbation goes down the gradient of the loss that the network is then trained with.

## What it finds
Inputs that are moved by the sign of the gradient of a loss with regard to them, `x - step * grad.sign()`, and on which
the same network is then trained with the same loss and the same targets.

## Why it hurts
Adversarial training needs inputs with a larger loss. Against the gradient, the inputs become easier than the data: the
training loss falls, and the network is no more robust than without them. Nothing raises.

## Example
    delta = (delta - alpha * delta.grad.sign()).clamp(-epsilon, epsilon)
    loss = F.cross_entropy(model(x + delta), y)

## Instead
    delta = (delta + alpha * delta.grad.sign()).clamp(-epsilon, epsilon)
    loss = F.cross_entropy(model(x + delta), y)

## Fix safety
The sign of the step is turned. Inputs that are made easier on purpose, as those that nothing can be learned from, are
reported as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.attacks import attacks
from ...graph.flow import one_per_place
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW372"
of_any_rank = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such step that lowers the loss."""
    for attack in attacks(trace):
        if not attack.rises and attack.event.site is not None and attack.before.site is not None:
            lines = [attack.before.site, *([attack.after.site] if attack.after.site is not None else [])]
            yield Facts(
                attack.event.site,
                fields={"op": attack.before.op, "line": attack.before.site.line},
                origins=tuple(origin for one in dict.fromkeys(lines) for origin in place(trace, one)),
                severity="warning",
                event=attack.event.index,
                remedy=TurnSign(term=attack.event.site),
            )


MESSAGES = {
    "en": {
        "message": "this perturbation of the inputs lowers the loss that the network is then trained with",
        "why": (
            "the inputs are moved against the sign of the gradient of {op} (line {line}), so they become easier to "
            "predict. Adversarial training moves them along the gradient, with a plus sign"
        ),
    },
    "es": {
        "message": "esta perturbación de las entradas reduce la pérdida con la que después se entrena la red",
        "why": (
            "las entradas se mueven en contra del signo del gradiente de {op} (línea {line}), así que se vuelven más "
            "fáciles de predecir. El entrenamiento adversario las mueve en el sentido del gradiente, con signo más"
        ),
    },
    "ja": {
        "message": "この入力の摂動は、ネットワークがそのあと学習に使う損失を小さくします",
        "why": (
            "入力は {op} ({line} 行目) の勾配の符号と逆の向きに動かされるため、予測しやすくなります。敵対的学習では、"
            "プラスの符号で勾配の向きに動かします"
        ),
    },
}
