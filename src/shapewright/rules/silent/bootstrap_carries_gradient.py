"""The bootstrap target of a value loss carries gradients of the very network that is trained.

What it finds: `reward + gamma * Q(next)`, used as the target of a regression loss, with gradients, from the same
parameters as the prediction.
Why it hurts: the loss can be lowered by pulling the target to the prediction, so values drift to whatever is easy to
agree on.
Example: `target = r + 0.99 * q(s2).max(1).values` without `torch.no_grad()`.
Instead: compute the target under `torch.no_grad()`, or `.detach()` it.
Fix safety: safe for temporal-difference learning. Residual-gradient methods, which want this, are rare; hence a
warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import REGRESSION_LOSSES, argument, consumers, one_per_place, operands, produced, reduced_to_scalar
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Detach

code = "SW216"
slug = "bootstrap-carries-gradient"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every value loss whose bootstrap target learns as well."""
    for event in (
        event
        for event in trace.events
        if event.site is not None and (event.op in REGRESSION_LOSSES or event.op == "sub")
    ):
        if event.op == "sub" and not _squared(trace, event):
            continue
        sides = (
            (argument(event, 0, "input"), argument(event, 1, "target"))
            if event.op != "sub"
            else tuple(operands(event))[:2]
        )
        if len(sides) != 2:
            continue
        if not all(isinstance(side, TensorFact) and side.requires_grad for side in sides):
            continue
        for value, target in (sides, sides[::-1]):
            made, product = _bootstrap(trace, target)
            if product is not None and _parameters(trace, value) & _parameters(trace, product):
                yield Facts(
                    event.site,
                    fields={
                        "loss": event.op if event.op != "sub" else Source(trace).site_text(event.site),
                        "target": target.name or "target",
                        "line": made.site.line if made.site else "?",
                    },
                    origins=place(trace, made.site),
                    severity="warning",
                    cause=f"bootstrap:{event.site.file}:{event.site.line}",
                    event=event.index,
                    remedy=Detach("target", target.name or "target"),
                )
                break


def _squared(trace: Trace, event: Event) -> bool:
    """Whether a difference is squared or its size taken, and averaged into a loss."""
    return any(
        user.op in ("pow", "square", "abs", "mul", "huber")
        and (user.op != "mul" or len({fact.uid for fact in operands(user)}) == 1)
        and reduced_to_scalar(trace, user) is not None
        for user in consumers(trace, event.index)
    )


def _bootstrap(trace: Trace, target: TensorFact) -> tuple[Event | None, TensorFact | None]:
    """The sum `reward + gamma * value` behind a target, and its learning part."""
    made = produced(trace, target)
    while made is not None and made.op in ("unsqueeze", "squeeze", "view", "reshape"):
        made = produced(trace, operands(made)[0])
    if made is None or made.op != "add":
        return None, None
    pair = operands(made)
    if len(pair) != 2 or pair[0].requires_grad == pair[1].requires_grad:
        return None, None
    learning = next(fact for fact in pair if fact.requires_grad)
    queue, factor = [learning], False
    for _ in range(4):
        if not queue:
            break
        event = produced(trace, queue.pop())
        if event is not None and event.op == "mul":
            factor |= any(isinstance(part, float) and 0.5 <= part < 1 for part in event.args)
            queue.extend(operands(event))
    return (made, learning) if factor else (None, None)


def _parameters(trace: Trace, fact: TensorFact) -> set[int]:
    """The parameters that a tensor was computed from."""
    return {
        part.uid
        for event in ancestors(trace, fact).values()
        for part in operands(event)
        if part.kind == "parameter" and part.uid
    }


MESSAGES = {
    "en": {
        "message": "the bootstrap target of {loss} carries gradients of the network that it trains",
        "why": (
            "{target} (line {line}) is a reward plus a discounted value of the same parameters; the loss then moves "
            "the target towards the prediction as well"
        ),
    },
    "es": {
        "message": "el objetivo de {loss} lleva gradientes de la misma red que entrena",
        "why": (
            "{target} (línea {line}) es una recompensa más un valor descontado de los mismos parámetros; la pérdida "
            "mueve entonces también el objetivo hacia la predicción"
        ),
    },
    "ja": {
        "message": "{loss} のブートストラップのターゲットが、学習中のネットワーク自身の勾配を持っています",
        "why": (
            "{target} ({line} 行目) は報酬と、同じパラメータによる割引価値の和です。"
            "このままでは損失がターゲットのほうも予測に近づけてしまいます"
        ),
    },
}
