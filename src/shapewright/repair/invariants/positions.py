"""No layer contracts the axis that the other layers run along."""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import operands
from ...trace import Event, Trace
from .change import Change

TEXTS = {
    "positions": {
        "en": "linear takes the axis of size {size} for features, and line {line} runs along it",
        "es": "linear toma el eje de tamaño {size} por características, y la línea {line} lo recorre",
        "ja": "linear がサイズ {size} の軸を特徴として扱いますが、{line} 行目はその軸に沿って動きます",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the linear layers: an axis that is the last one here, and another one there; where the author's run had none
    such."""
    if not any(_contracted(change.before)):
        yield from _contracted(change.after)


def _contracted(trace: Trace) -> Iterator[tuple[str, dict]]:
    found = [event for event in trace.events if event.op == "linear" and event.site is not None and operands(event)]
    along: dict[int, Event] = {}
    for event in found:
        for axis in operands(event)[0].axes[1:-1]:
            for uid, size in axis.uids if len(axis.uids) == 1 else ():
                if size > 1:
                    along.setdefault(uid, event)
    for event in found:
        axis = operands(event)[0].axes[-1] if operands(event)[0].axes else None
        if axis is not None and len(axis.uids) == 1 and axis.uids[0][0] in along:
            yield "positions", {"size": axis.size, "line": along[axis.uids[0][0]].site.line}
