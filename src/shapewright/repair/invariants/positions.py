"""No layer contracts the axis that the others run along, no norm takes for channels what a convolution slid along, no
recurrent layer steps through samples, and moved axes leave no weights between the parts of the features."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, tensors
from ...graph.splits import parts
from ...trace import Event, TensorFact, Trace
from .change import Change

TEXTS = {
    "positions": {
        "en": "{op} treats the axis of size {size} as features, but line {line} treats that axis as positions",
        "es": "{op} trata el eje de tamaño {size} como características, pero la línea {line} lo trata como posiciones",
        "ja": "{op} がサイズ {size} の軸を特徴として扱いますが、{line} 行目ではその軸が位置として扱われます",
    },
    "stepped": {
        "en": "with this change, {op} on line {line} steps through the axis of size {size}, which other operations "
        "treat as samples",
        "es": "con este cambio, {op} en la línea {line} recorre paso a paso el eje de tamaño {size}, que otras "
        "operaciones tratan como muestras",
        "ja": "この変更では {line} 行目の {op} がサイズ {size} の軸を時間の順にたどりますが、ほかの演算ではその軸が"
        "サンプルとして扱われます",
    },
    "between-parts": {
        "en": (
            "with this change, {op} on line {line} would compute weights over the parts of one position (its heads, "
            "for example) and not over the positions"
        ),
        "es": (
            "con este cambio, {op} en la línea {line} calcularía pesos sobre las partes de una posición (sus cabezas, "
            "por ejemplo) y no sobre las posiciones"
        ),
        "ja": "{line} 行目の {op} が、位置に沿ってではなく、1 つの位置の各部分 (ヘッドなど) に沿って重みを計算するこ"
        "とになります",
    },
}
MOVES = frozenset({"permute", "move-first", "move-after", "drop", "dim"})


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the linear layers: an axis that is the last one here, and another one there; where the author's run had none
    such."""
    if not any(_contracted(change.before)):
        yield from ((kind, fields) for event, kind, fields in _contracted(change.after) if change.decided(event))
    if not any(_slid(change.before)):
        yield from (("positions", fields) for fields in _slid(change.after))
    if any(candidate.title in MOVES for candidate in change.candidates) and not any(_slid(change.before, "maps")):
        yield from (("positions", fields) for fields in _slid(change.after, "maps"))
    yield from (("stepped", fields) for fields in _stepped(change))
    part_of = dict(parts(change.after)) if any(candidate.title in MOVES for candidate in change.candidates) else {}
    for event in change.after.events:
        given = next(iter(operands(event)), None)
        dim = ops.bound(event).get("dim") if part_of and ops.is_a(event.op, "softmaxes") else None
        if isinstance(dim, int) and given is not None and -given.rank <= dim < given.rank and event.site is not None:
            axis = given.axes[dim]
            if axis.size > 1 and len(axis.uids) == 1 and axis.uids[0][0] in part_of:
                yield "between-parts", {"op": event.op, "line": event.site.line}


def _contracted(trace: Trace) -> Iterator[tuple[Event, str, dict]]:
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
            yield event, "positions", {"op": event.op, "size": axis.size, "line": along[axis.uids[0][0]].site.line}


def _stepped(change: Change) -> Iterator[dict]:
    """Recurrent layers whose steps are, once the edits turned a layer's axes over, what products of batches and losses
    take for samples."""
    if all(candidate.title != "batch-first" for candidate in change.candidates):
        return
    steps: dict[int, Event] = {}
    for event in change.after.events:
        for fact in operands(event)[:1] if event.site is not None else ():
            for at, axis in enumerate(fact.axes):
                if axis.size < 2 or len(axis.uids) != 1:
                    continue
                if ops.is_a(event.op, "recurrent") and ops.use_of(event, fact, at) == "steps":
                    steps.setdefault(axis.uids[0][0], event)
                met = steps.get(axis.uids[0][0])
                if met is not None and ops.use_of(event, fact, at) in ("samples", "batch"):
                    yield {"op": met.op, "size": axis.size, "line": met.site.line}


def _features(event: Event, given: TensorFact, place: int) -> bool:
    """Whether an operator takes an axis for channels, or a linear layer for its features, that were merged of none."""
    if ops.is_a(event.op, "norms"):
        return ops.use_of(event, given, place) == "channels"
    return event.op == "linear" and place == given.rank - 1 and len(given.axes[place].uids) == 1


def _slid(trace: Trace, reader: str = "norms") -> Iterator[dict]:
    """Norms whose channels are an axis that a convolution slid along, or linear layers that take such an axis for
    features though it slid along several channels."""
    along: dict[int, Event] = {}
    for event in trace.events:
        if ops.is_a(event.op, "convolves") and event.site is not None:
            for made in tensors(event.result):
                several = reader == "norms" or made.sizes[1] > 1
                along.update({uid: event for axis in made.axes[2:] for uid, size in axis.uids if size > 1 and several})
        elif along and ops.is_a(event.op, reader):
            given = next(iter(operands(event)), None)
            for place, axis in enumerate(given.axes if given is not None else ()):
                met = next((along[uid] for uid, _ in axis.uids if uid in along), None)
                if met is not None and met.site is not None and _features(event, given, place):
                    yield {"op": event.op, "size": axis.size, "line": met.site.line}
