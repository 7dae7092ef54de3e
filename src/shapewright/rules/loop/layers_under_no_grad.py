"""Layers that an optimiser is to train run under `no_grad` in training.

## What it finds
Parts of a model, made from scratch and held by an optimiser, that every training call runs inside `torch.no_grad()`,
while the rest learns.

## Why it hurts
They keep their random weights; the head learns to read noise, so the loss may well fall.

## Example
    def forward(self, x):
        with torch.no_grad():
            h = self.encoder(x)
        return self.head(h)

## Instead
    # call the encoder outside of no_grad, or freeze it: requires_grad_(False), and leave it out of the optimizer.

## Fix safety
Loaded or copied weights are not reported: not to train them may be meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import GradientReach, Trace
from ..facts import Facts

code = "SW340"
slug = "layers-under-no-grad"
order = 25


def check(trace: Trace) -> Iterator[Facts]:
    """Every model with such parts, at the line that calls them."""
    for answer in trace.answers(GradientReach):
        if answer.data.kind != "ungraded":
            continue
        parts = set(answer.data.modules)
        event = next(
            (
                event
                for event in trace.events
                if event.site is not None and parts & set(event.modules) and "grad" not in event.flags
            ),
            None,
        )
        if event is None:
            continue
        off = next(
            (
                other
                for other in reversed(trace.events[: event.index])
                if other.op == "set_grad_enabled" and other.args[:1] == (False,) and other.site is not None
            ),
            None,
        )
        yield Facts(
            event.site,
            fields={
                "layers": len(parts),
                "layer": answer.data.kinds[0],
                "model": answer.data.model,
                "count": answer.data.parameters,
            },
            origins=(
                *(place(trace, off.site) if off is not None else ()),
                *place(trace, answer.data.optimizer),
                *place(trace, answer.site, "constructor"),
            ),
            severity="warning",
            cause=f"no-grad:{event.site.file}:{event.site.line}",
            event=event.index,
        )


MESSAGES = {
    "en": {
        "message": (
            "{layers} layers of {model} ({layer} …) run under no_grad in training, though an optimizer is to train them"
        ),
        "why": (
            "their {count} parameters, made from scratch here, can never receive a gradient; if they are meant to stay "
            "as they are, freeze them with requires_grad_(False)"
        ),
    },
    "es": {
        "message": (
            "{layers} capas de {model} ({layer} …) se ejecutan bajo no_grad en el entrenamiento, aunque un optimizador "
            "debe entrenarlas"
        ),
        "why": (
            "sus {count} parámetros, creados aquí desde cero, nunca pueden recibir gradiente; si deben quedarse como "
            "están, congélalos con requires_grad_(False)"
        ),
    },
    "ja": {
        "message": (
            "{model} の {layers} 層 ({layer} など) は訓練中に no_grad の中で実行されますが、"
            "オプティマイザに渡されています"
        ),
        "why": (
            "ここで新しく作られた {count} 個のパラメータには勾配が届きません。固定する意図なら requires_grad_(False) "
            "にしてください"
        ),
    },
}
