"""Layers that an optimizer is to train run under `no_grad` in training.

## What it finds
Parts of a model, made from scratch and held by an optimizer, that every training call runs inside `torch.no_grad()`,
while the rest learns.

## Why it hurts
They keep their initial weights. The rest learns on top of them, so the loss can fall all the same.

## Example
    def forward(self, x):
        with torch.no_grad():
            h = self.encoder(x)
        return self.head(h)

## Instead
    # call the encoder outside of no_grad, or freeze it: requires_grad_(False), and leave it out of the optimizer.

## Fix safety
Loaded or copied weights are not reported: not to train them may be intended.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.ledger import Ledger, ledger
from ...graph.training import ancestors, losses, of_kind, place
from ...trace import ParameterFact, Trace
from ..facts import Facts
from ..remedy import Attach

code = "SW340"


def check(trace: Trace) -> Iterator[Facts]:
    """Every optimizer with such parameters, at the line that calls them."""
    book = ledger(trace)
    copied = book.written | {write.target for write in book.writes}
    loss = {loss.producer: step for step, loss in losses(trace)}
    for made in of_kind(trace, "optimizer"):
        steps = [step for step in of_kind(trace, "step") if step.data["optimizer"] == made.data["optimizer"]]
        used = {uid for step in steps for uid in step.data["used"]}
        idle = [book.parameters[uid] for uid in set(made.data.get("held", ())) - used if uid in book.parameters]
        parts = {fact.module for fact in idle if fact.learns and fact.uid not in copied and _own(book, fact)}
        event = next(
            (
                event
                for event in trace.events[made.data["at"] :]
                if event.site is not None and event.modules and event.modules[-1] in parts and "grad" not in event.flags
            ),
            None,
        )
        if (
            not used
            or event is None
            or any(set(other.modules) & parts and "grad" in other.flags for other in trace.events[made.data["at"] :])
        ):
            continue
        if not any(event.index in ancestors(trace, trace.events[index].result) for index in loss if index >= 0):
            continue
        off = next(
            (
                other
                for other in reversed(trace.events[: event.index])
                if other.op == "set_grad_enabled" and other.args[:1] == (False,) and other.site is not None
            ),
            None,
        )
        first = next(fact for fact in idle if fact.module == event.modules[-1])
        count = sum(fact.module in parts for fact in idle)
        yield Facts(
            event.site,
            fields={
                "layers": len(parts),
                "layer": trace.modules[first.module].kind,
                "model": book.model_of(first),
                "count": count,
            },
            origins=(
                *(place(trace, off.site) if off is not None else ()),
                *place(trace, made.site),
                *place(trace, first.site, "constructor"),
            ),
            severity="warning",
            remedy=Attach(),
            event=event.index,
        )


def _own(book: Ledger, fact: ParameterFact) -> bool:
    """Whether a parameter is no copy of another one."""
    return not fact.began or all(other.began != fact.began for uid, other in book.parameters.items() if uid != fact.uid)


MESSAGES = {
    "en": {
        "message": (
            "layers of {model} run under no_grad in training, although an optimizer holds their parameters (number of "
            "layers: {layers}, for example {layer})"
        ),
        "why": (
            "no gradient reaches the parameters of these layers ({count}), so they are not trained; if that is "
            "intended, freeze them with requires_grad_(False)"
        ),
    },
    "es": {
        "message": (
            "hay capas de {model} que se ejecutan bajo no_grad en el entrenamiento, aunque un optimizador tiene sus "
            "parámetros (número de capas: {layers}, por ejemplo {layer})"
        ),
        "why": (
            "a los parámetros de esas capas ({count}) no les llega ningún gradiente, así que no se entrenan; si es "
            "intencionado, congélalos con requires_grad_(False)"
        ),
    },
    "ja": {
        "message": (
            "{model} の {layers} 層 ({layer} など) は学習中に no_grad の中で実行されますが、"
            "パラメータはオプティマイザに渡されています"
        ),
        "why": (
            "これらの層のパラメータ ({count} 個) には勾配が届かず、学習されません。意図したものなら "
            "requires_grad_(False) で凍結してください"
        ),
    },
}
