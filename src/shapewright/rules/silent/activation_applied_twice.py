"""A loss is given probabilities where it expects logits, or scores where it expects log-probabilities.

## What it finds
`cross_entropy` of a softmax (it applies one itself), `binary_cross_entropy_with_logits` of a sigmoid, `nll_loss`,
`ctc_loss` or `kl_div` of a softmax or of logits where log-probabilities are expected.

## Why it hurts
Two softmaxes compress the scores into a narrow range, so the loss cannot fall near zero. `nll_loss` takes no
logarithm of what it is given.

## Example
    probs = torch.softmax(net(x), dim=1)
    loss = F.cross_entropy(probs, y)

## Instead
    loss = F.cross_entropy(net(x), y)

## Fix safety
Removing the softmax from the path to the loss changes predictions only in scale; arg-max stays.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import RESHAPING, argument, backward, shown
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span, distinct
from ..remedy import DropActivation
from ..subjects import of_calls

code = "SW205"
aliases = ("loss-applies-it-again",)

THROUGH = RESHAPING | {"float", "contiguous", "clone", "chunk", "cat", "stack"}
# loss: (operators that it must not be given, what it wants)
WRONG = {
    "cross_entropy": (("softmax", "sigmoid"), "scores"),
    "binary_cross_entropy_with_logits": (("sigmoid", "softmax"), "scores"),
    "nll_loss": (("softmax", "sigmoid", "linear", "relu"), "logs"),
    "kl_div": (("softmax", "sigmoid", "linear"), "logs"),
    "ctc_loss": (("softmax", "sigmoid", "linear"), "logs"),
}

# what a loss on logits applies itself
APPLIED = {"cross_entropy": "softmax", "binary_cross_entropy_with_logits": "sigmoid"}


@of_calls(*WRONG)
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every loss whose input went through the wrong operator last."""
    scores = argument(event, 0, "input")
    if not isinstance(scores, TensorFact):
        return
    wrong, wants = WRONG[event.op]
    last = next((made for made in backward(trace, scores, THROUGH) if made.op not in THROUGH), None)
    if last is None or last.op not in wrong:
        return
    if event.op == "nll_loss" and ops.is_a(last.op, "maps", "rectifies") and not scores.requires_grad:
        return
    origins = [Origin("operator", last.op, last.site, last.stack)] if last.site else []
    module = trace.layer(last)
    if module is not None and module.kind in ("Softmax", "Sigmoid") and module.site is not None:
        origins.append(Origin("constructor", module.kind, module.site, module.stack))
    yield Facts(
        site=event.site,
        message="others" if wants == "scores" and last.op != APPLIED[event.op] else wants,
        why=f"why_{wants}",
        fields={"loss": event.op, "op": last.op, "line": last.site.line if last.site else "?"},
        origins=distinct(tuple(origins), event),
        spans=(Span(event.site, f"{scores.name or 'input'} {shown(scores.shape)}"),),
        cause=(code, last.site),
        event=event.index,
        remedy=DropActivation(last.index, logs=wants == "logs"),
    )


MESSAGES = {
    "en": {
        "scores": "{loss} is given the output of {op}, which the loss applies itself",
        "others": "{loss} expects logits, but is given the output of {op}",
        "logs": "{loss} expects log-probabilities, but is given the output of {op}",
        "why_scores": (
            "the {op} of line {line} maps the logits into a narrow range, so the loss cannot get close to zero"
        ),
        "why_logs": (
            "{loss} does not take the logarithm of its input, and the output of {op} on line {line} is not a "
            "log-probability"
        ),
    },
    "es": {
        "scores": "{loss} recibe la salida de {op}, una operación que ya aplica por su cuenta",
        "others": "{loss} espera logits, pero recibe la salida de {op}",
        "logs": "{loss} espera log-probabilidades, pero recibe la salida de {op}",
        "why_scores": "el {op} de la línea {line} comprime los logits, así que la pérdida no puede acercarse a cero",
        "why_logs": (
            "{loss} no calcula el logaritmo de su entrada, y la salida de {op} en la línea {line} no es una "
            "log-probabilidad"
        ),
    },
    "ja": {
        "scores": "{loss} は内部で同じ計算をするのに、{op} の出力を受け取っています",
        "others": "{loss} はロジットを必要としますが、{op} の出力を受け取っています",
        "logs": "{loss} は対数確率を必要としますが、{op} の出力を受け取っています",
        "why_scores": "{line} 行目の {op} がロジットを狭い範囲に押し縮めるため、損失は 0 に近づけません",
        "why_logs": "{loss} は入力の対数を取りませんが、{line} 行目の {op} の出力は対数確率ではありません",
    },
}
