"""An activation is taken off one output of a model for a loss that expects logits only where no other output of the
model could be the one that was meant."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import computed, operands
from ...trace import Event
from .change import Change

TEXTS = {
    "other-output": {
        "en": "{op} on line {line} is given another output of the same shape: perhaps the two should be exchanged",
        "es": "{op} (línea {line}) recibe otra salida de la misma forma: quizá haya que intercambiar las dos",
        "ja": "{line} 行目の {op} には同じ形状の別の出力が渡されています。2 つを入れ替えるべきかもしれません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the losses of the run that showed the fault: one that takes any number is given what no activation bounds, of
    the same shape, by the same call."""
    event = change.before.event(change.finding.facts.event) if change.finding.facts.event is not None else None
    own = next(iter(operands(event)), None) if event is not None and ops.is_a(event.op, "takes_logits") else None
    if own is None or change.finding.is_loud or not any(one.title == "no-activation" for one in change.candidates):
        return
    for other in change.before.events:
        given = next(iter(operands(other)), None) if ops.is_a(other.op, "regresses") else None
        if given is None or other.site is None or given.sizes != own.sizes or other.iteration != event.iteration:
            continue
        made = [computed(change.before, fact) for fact in (own, given)]
        if None not in made and made[0].modules[:1] == made[1].modules[:1] != () and not _bounded(made[1]):
            yield "other-output", {"op": other.op, "line": other.site.line}


def _bounded(event: Event) -> bool:
    """Whether an activation was the last."""
    return ops.is_a(event.op, "squashes", "softmaxes")
