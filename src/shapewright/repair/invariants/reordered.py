"""Features that an edit merges stay in the order in which their axes are: another order is another model, and the
script does not ask for it."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced
from ...trace import Axis, TensorFact
from .change import Change

TEXTS = {
    "reordered": {
        "en": (
            "with this change, {op} on line {line} merges axes of sizes {old} in a different order: the script does "
            "not show which order is intended"
        ),
        "es": (
            "con este cambio, {op} en la línea {line} une ejes de tamaños {old} en otro orden: el script no muestra "
            "qué orden se pretende"
        ),
        "ja": "{line} 行目の {op} がサイズ {old} の軸を別の順でまとめることになります。どちらの順を意図したかは"
        "スクリプトからわかりません",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the axes that an edit moves and merges in one breath, where the rule itself does not ask for it."""
    edited = list(change.events()) if not change.declared else []
    for event in edited:
        given, made = next(iter(operands(event)), None), event.result
        turn = produced(change.after, given) if ops.is_a(event.op, "views", "flattens") and given is not None else None
        if turn is None or not ops.is_a(turn.op, "turns") or turn not in edited:
            continue
        first = next(iter(operands(turn)), None)
        for axis in made.axes if isinstance(made, TensorFact) and first is not None else ():
            sizes = dict(axis.uids)
            was = [uid for one in first.axes for uid in _identity(one) if uid in sizes]
            now = [uid for uid in sizes if uid in was]
            if len(now) > 1 and now != was:
                old = " × ".join(str(sizes[uid]) for uid in was)
                yield "reordered", {"op": event.op, "line": event.site.line, "old": old}


def _identity(axis: Axis) -> list[int]:
    """The parts of an axis that count more than one."""
    return [uid for uid, size in axis.uids if size > 1]
