"""A loss is given what learns first and what it is held against second."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...trace import Event
from .change import Change

TEXTS = {
    "exchanged": {
        "en": "{op} then gets its target as the first argument, where the prediction belongs",
        "es": "{op} recibe entonces el objetivo como primer argumento, donde va la predicción",
        "ja": "{op} の 1 番目の引数がターゲットになりますが、そこには予測を渡すべきです",
    },
}
ONE_WAY = ops.named("classifies", "binary", "divergences")


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """Where an edit exchanges two values, a loss that the faulty run did not come to."""
    known = {event.site for event in change.before.events if _turned(event)}
    for event in change.after.events if any(c.title == "swap" for c in change.candidates) else ():
        if _turned(event) and event.site not in known:
            yield "exchanged", {"op": event.op}


def _turned(event: Event) -> bool:
    """Whether only the second operand of a loss that is not the same both ways learns."""
    sides = operands(event)[:2] if event.op in ONE_WAY else []
    return len(sides) == 2 and not sides[0].requires_grad and sides[1].requires_grad
