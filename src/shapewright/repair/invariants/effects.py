"""What a repaired operation does has an effect: nobody normalizes what is normalized."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands
from ...graph.training import ancestors
from ...trace import Event, TensorFact, Trace
from .change import Change

TEXTS = {
    "no-effect": {
        "en": "with this change, {op} on line {line} has no effect: its second operand is {value} everywhere",
        "es": "con este cambio, {op} en la línea {line} no tiene efecto: su segundo operando siempre es {value}",
        "ja": "この変更では {line} 行目の {op} に効果がありません。2 つ目のオペランドの値がすべて {value} です",
    },
}
BEHIND = 8


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the operations on lines that an edit wrote, and by the call that failed, wherever it stands now: values are
    divided by sums of theirs that are one each time they are made, or averages that are zero are taken off them."""
    idle = set(change.after.data.idle)
    if not idle:
        return
    failed = change.before.failure.event if change.before.failure is not None else None
    again = {event.index for event in change.at(failed)} if failed is not None else set()
    met: dict[tuple, list[Event]] = {}
    for event in change.after.events:
        if event.site is not None and (event.index in again or change.wrote(event.site)):
            met.setdefault((event.op, event.site), []).append(event)
    was = set(change.before.data.idle)
    before = {(event.op, event.site.function) for event in change.before.events if event.index in was and event.site}
    for (op, site), events in met.items():
        if all(event.index in idle for event in events) and (op, site.function) not in before:
            if _reduced(change.after, operands(events[0])[-1]):
                yield "no-effect", {"op": op, "line": site.line, "value": 0 if ops.is_a(op, "subtracts") else 1}


def _reduced(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor was summed up or averaged from numbers that are no counts."""
    made = ancestors(trace, fact, BEHIND).values()
    return any(
        ops.is_a(event.op, "totals", "averages", "measures") and not side.is_whole
        for event in made
        for side in operands(event)[:1]
    )
