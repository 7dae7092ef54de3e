"""A batch starts with the recurrent state that other samples left.

## What it finds
A recurrent state that a model returned for one batch and received with the next, where the rows of the next batch do
not continue those of the previous batch: they were sampled at random or shuffled. Also a state that the model itself
keeps from one shuffled batch to the next, or with which it begins a window that it has largely read before.

## Why it hurts
Samples begin with the state of other samples, which says nothing about them. For a single sample without a state the
outputs can differ from those in training.

## Example
    for x, y in DataLoader(windows, shuffle=True):
        out, state = model(x, state)

## Instead
        out, state = model(x, None)

## Fix safety
Truncated backpropagation, where each row continues with the next window of its text, is not reported: there, the first
token of each window is the last target of the previous window, or the windows are parts of the same rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.batches import loaded
from ...graph.flow import chain, one_per_place, operands, tensors
from ...graph.scopes import around, assignments, enclosing, loop_around
from ...graph.source import Source
from ...graph.training import place
from ...trace import Causality, Event, Origin, Site, StateCarried, TensorFact, Trace
from ..facts import Facts
from ..remedy import Detach

code = "SW281"


def check(trace: Trace) -> Iterator[Facts]:
    """Every model that is handed such a state, and every layer that a model itself hands it to."""
    yield from _kept(trace)
    yield from _reread(trace)
    for answer in trace.answers(StateCarried):
        data = answer.data
        turned = any(one.data.shift < 0 for one in trace.answers(Causality, True) if one.module == answer.module)
        if answer.site is not None and not data.dropped and not turned:
            yield Facts(
                answer.site,
                why="why" if data.rows else "why_shuffled",
                fields={"model": data.model, "rows": data.rows, "following": data.following},
                origins=_begun(trace, answer.site),
                severity="warning",
                remedy=Detach("fresh"),
            )


@one_per_place
def _reread(trace: Trace) -> Iterator[Facts]:
    """Recurrent layers that begin a window with the state that they left after most of the same steps."""
    last: dict[tuple[int, ...], Event] = {}
    for event in trace.events:
        if not ops.is_a(event.op, "recurrent") or event.site is None:
            continue
        before, last[event.modules] = last.get(event.modules), event
        if before is None or "rereads" not in event.flags:
            continue
        uids = {fact.uid for fact in tensors(before.result)}
        if any(uids & _lineage(trace, state) for state in operands(event)[1:] if not state.is_held):
            module = trace.modules.get(event.modules[0]) if event.modules else None
            yield Facts(
                event.site,
                message="reread",
                why="why_reread",
                fields={"model": module.kind if module else event.op, "steps": operands(before)[0].shape},
                origins=tuple(o for one in event.stack[:-1][-2:] for o in place(trace, one)),
                severity="warning",
            )


def _lineage(trace: Trace, state: TensorFact) -> set[int]:
    """The identities of a state and of what it was before it was cut from its graph, copied or taken out."""
    near = chain(trace, state, lambda made: ops.is_a(made.op, "cuts", "keeps_values", "takes"), 6)
    return {state.uid, *(fact.uid for made in near for fact in operands(made)[:1])}


@one_per_place
def _kept(trace: Trace) -> Iterator[Facts]:
    """Recurrent layers that begin a training step with the state of the step before, which the model kept, though the
    samples come in no order. What the script itself hands on is told at its call."""
    handed = {answer.site for answer in trace.answers(StateCarried) if not answer.data.dropped}
    left: dict[int, Event] = {}  # by the identity of what a layer gave
    for event in trace.events:
        if not ops.is_a(event.op, "recurrent") or "grad" not in event.flags or len(event.modules) < 2:
            continue
        if handed & set(event.stack):
            continue
        given = operands(event)
        mixed = _rows(given[0]) & set(trace.data.unordered)
        for state in given[1:] if mixed else ():
            if state.is_held or event.site is None:
                continue
            before = next((left[uid] for uid in _lineage(trace, state) if uid in left), None)
            if before is None or not mixed - _rows(operands(before)[0]):
                continue
            if before.iteration < event.iteration and before.modules == event.modules:
                module = trace.modules.get(event.modules[0])
                yield Facts(
                    event.site,
                    why="why_shuffled",
                    fields={"model": module.kind if module else ""},
                    origins=tuple(o for one in event.stack[:-1][-2:] for o in place(trace, one)),
                    severity="warning",
                )
                break
        left |= {fact.uid: event for fact in tensors(event.result)}


def _rows(fact: TensorFact) -> set[int]:
    """What the rows of an input are known by: a further part of the same rows has them too."""
    return {uid for axis in fact.axes[:2] for uid, _ in axis.uids[:1]}


def _begun(trace: Trace, site: Site) -> tuple[Origin, ...]:
    """Where what the call at a site is given had been bound before the loop that binds it anew."""
    source = Source(trace)
    call, loop = source.call_at(site), loop_around(source.statement_at(site))
    scope = enclosing(call) if call is not None else None
    found: list[Origin] = []
    for name in sorted(loaded(call)) if call is not None and loop is not None else ():
        bound = [one[0] for one in assignments(scope or source.tree(site.file), name) if isinstance(one[0], ast.Assign)]
        outside = [node for node in bound if loop not in around(node) and node.lineno < site.line]
        if len(outside) < len(bound):
            found += (one for node in outside[-1:] for one in place(trace, source.site(node, site.file)))
    return tuple(found)


MESSAGES = {
    "en": {
        "message": "{model} starts a batch with the state that other samples left",
        "why": (
            "only {following} of {rows} rows start with the last target of the same row in the previous batch; the "
            "other rows do not continue that row"
        ),
        "why_shuffled": "the rows are shuffled, so a row does not continue the same row of the previous batch",
        "reread": "{model} starts a window with a state that has already read most of its steps",
        "why_reread": (
            "the window begins with the steps with which the previous one {steps} ended, and the state is the one left "
            "after them: these steps are read twice"
        ),
    },
    "es": {
        "message": "{model} empieza un lote con el estado que dejaron otras muestras",
        "why": (
            "solo {following} de {rows} filas empiezan con el último objetivo de la misma fila del lote anterior; las "
            "demás no continúan esa fila"
        ),
        "why_shuffled": "las filas están barajadas, así que una fila no continúa la misma fila del lote anterior",
        "reread": "{model} empieza una ventana con un estado que ya leyó la mayoría de sus pasos",
        "why_reread": (
            "la ventana empieza con los pasos con los que terminó la anterior {steps}, y el estado es el que quedó "
            "después de ellos: esos pasos se leen dos veces"
        ),
    },
    "ja": {
        "message": "{model} が、別のサンプルが残した状態からバッチを始めています",
        "why": (
            "前のバッチの同じ行の最後のターゲットから始まるのは {rows} 行のうち {following} 行だけで、残りの行は前の行"
            "の続きではありません"
        ),
        "why_shuffled": "行がシャッフルされているため、どの行も前のバッチの同じ行の続きではありません",
        "reread": "{model} が、ウィンドウの大部分のステップをすでに読んだ状態から始めています",
        "why_reread": (
            "このウィンドウは前のウィンドウ {steps} の終わりのステップから始まり、状態はそれらを読んだ後のものです。"
            "同じステップが二度読まれます"
        ),
    },
}
