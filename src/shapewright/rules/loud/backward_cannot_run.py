"""`backward` cannot run: the loss has many elements, no graph, or a graph that is used up or overwritten.

## What it finds
A failing `backward`: on a tensor with several elements, on one that does not require grad, a second time over the same
graph (often a hidden state carried from batch to batch), or after a tensor that it needs was changed in place.

## Why it hurts
The script stops.

## Example
    out, hidden = rnn(x, hidden)           # hidden still belongs to the last batch's graph
    loss.backward()

## Instead
    hidden = hidden.detach()

## Fix safety
`detach` cuts the gradient between batches, as truncated backpropagation through time does; with `retain_graph=True` the
graph of a carried state would grow from batch to batch.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import operands, tensors
from ...graph.origins import Origins, blend, distinct
from ...ops.shapes import elements
from ...trace import Event, Origin, TensorFact, Trace
from ...trace.said import Refusal
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans
from .item_of_many_values import _reduction

code = "SW136"
CUTS = ops.named("cuts", "points_at", "takes_data", "flat", "leaves", "compares", "casts_int")


@refused("differentiates")
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing `backward` and which of its four conditions is broken."""
    if not call.event.args:
        return
    loss = next(tensors(call.event.args), None)
    if not isinstance(loss, TensorFact):
        return
    labels = spans(Call(call.op, {loss.name or "loss": loss}, call.site, call.failure, call.event, call.module))
    fields = {"shape": shape_text(loss.shape), "count": elements(loss.shape)}
    said = call.failure.said
    given = call.event.kwargs.get("gradient", call.event.args[1] if len(call.event.args) > 1 else None)
    if not loss.requires_grad:
        why, message, chain = "no_graph", "graphless", [_cut(origins, loss), origins.of_rank(loss)]
    elif elements(loss.shape) != 1 and given is None:
        why, message, chain = (
            "many",
            "message",
            [
                _reduction(origins, loss),
                distinct([*origins.of_rank(loss), *origins.of_axis(loss, 0)] if loss.shape else []),
            ],
        )
    elif Refusal.GRAPH_FREED in said:
        carried = _carried(origins, loss, call.event)
        why, message, chain = "carried" if carried else "shared", "again", [carried or _backward(origins)]
    elif Refusal.CHANGED_IN_PLACE in said:
        why, message, chain = "changed", "overwritten", [_written(origins.trace, call.event)]
    else:
        return
    yield Facts(
        call.site,
        message,
        why,
        fields,
        blend(*chain),
        spans=labels,
        remedy=misfit(call, "loss", None, None, None, problem=message),
    )


def _cut(origins: Origins, loss: TensorFact) -> list[Origin]:
    """Where the graph was cut on the way to the loss: `detach`, `argmax`, `no_grad`, a new tensor made of numbers."""

    def follow(event: Event) -> list[TensorFact]:
        given = operands(event)
        return [part for part in given if part.requires_grad][:1] or given[:1]

    return distinct(
        [
            Origin("operator", origins.source.site_text(event.site), event.site, event.stack)
            for event in origins.lineage(loss, follow, 60)
            if event.op in CUTS or (any(part.requires_grad for part in operands(event)) and "grad" not in event.flags)
        ]
    )


def _carried(origins: Origins, loss: TensorFact, event: Event) -> list[Origin]:
    """What an earlier iteration made and this one used again: its line in the loop, and where it was first made."""
    found: list[Origin] = []
    for made in origins.lineage(loss, operands, 4000):
        for part in operands(made):
            earlier = origins.producer(part)
            if (
                part.requires_grad
                and part.kind != "parameter"
                and earlier is not None
                and earlier.iteration < event.iteration
                and any(o.requires_grad for o in operands(earlier))
            ):
                found.append(Origin("operator", origins.source.site_text(made.site), made.site, made.stack))
                for site in (*reversed(made.stack[:-1]), *reversed(earlier.stack)):
                    found.append(Origin("operator", origins.source.site_text(site), site, ()))
                found += [
                    origins.of_definition(d)
                    for d in origins.source.definitions(origins.source.node_at(made.site), made.stack)
                ]
                return distinct(found)
    return []


def _backward(origins: Origins) -> list[Origin]:
    """The last backward that ran."""
    first = next(
        (step.site for step in reversed(origins.trace.steps) if step.kind == "backward" and step.site is not None), None
    )
    return [Origin("operator", origins.source.site_text(first), first)] if first is not None else []


def _written(trace: Trace, event: Event) -> list[Origin]:
    """In-place operations on tensors with gradient, the latest first."""
    origins = Origins(trace)
    found = [
        Origin("operator", origins.source.site_text(e.site), e.site, e.stack)
        for e in reversed(trace.events)
        if (e.op.endswith("_") or e.op == "setitem")
        and e.args
        and isinstance(e.args[0], TensorFact)
        and e.args[0].shape is not None
        and "grad" in e.flags
        and e.iteration == event.iteration
        and (e.args[0].requires_grad or (isinstance(e.result, TensorFact) and e.result.requires_grad))
        and e.site is not None
    ]
    steps = [
        Origin("operator", origins.source.site_text(s.site), s.site)
        for s in reversed(trace.steps)
        if s.kind == "step" and s.site is not None
    ][:1]
    return distinct([*found[:4], *steps])


MESSAGES = {
    "en": {
        "message": "backward without `gradient` needs a single value, but this tensor has shape {shape}",
        "graphless": "backward finds no graph: this tensor does not require grad",
        "again": "backward runs through a graph that an earlier backward has already freed",
        "overwritten": "a tensor that backward needs was changed in place",
        "many": "this tensor has {count} elements, not one",
        "no_graph": (
            "nothing that this tensor was computed from requires grad, or the graph was cut on the way (for example by "
            "detach, no_grad or argmax)"
        ),
        "shared": "an earlier backward has already used and freed a part of the graph of this loss",
        "carried": "this loss still depends on a value that was computed before this iteration",
        "changed": "the forward pass saved this value for backward, and it was modified before backward used it",
    },
    "es": {
        "message": "backward sin `gradient` necesita un solo valor, pero este tensor tiene forma {shape}",
        "graphless": "backward no encuentra ningún grafo: este tensor no requiere gradiente",
        "again": "backward recorre un grafo que un backward anterior ya liberó",
        "overwritten": "se modificó in-place un tensor que backward necesita",
        "many": "este tensor tiene {count} elementos, no uno",
        "no_graph": (
            "nada de lo que se usó para calcular este tensor requiere gradiente, o el grafo se cortó por el camino "
            "(por ejemplo con detach, no_grad o argmax)"
        ),
        "shared": "un backward anterior ya usó y liberó una parte del grafo de esta pérdida",
        "carried": "esta pérdida todavía depende de un valor calculado antes de esta iteración",
        "changed": "el forward guardó este valor para backward, y se modificó antes de que backward lo usara",
    },
    "ja": {
        "message": "`gradient` を渡さない backward には値が 1 つだけのテンソルが必要ですが、形状は {shape} です",
        "graphless": "このテンソルは勾配を必要とせず、backward がたどる計算グラフがありません",
        "again": "backward が、以前の backward で解放された計算グラフをもう一度たどっています",
        "overwritten": "backward に必要なテンソルがインプレースで書き換えられています",
        "many": "このテンソルの要素は 1 個ではなく {count} 個です",
        "no_graph": (
            "このテンソルの計算に使われた値がどれも勾配を必要としないか、計算グラフが途中で切られています (detach、"
            "no_grad、argmax など)"
        ),
        "shared": "この損失の計算グラフの一部は、以前の backward で使われ、すでに解放されています",
        "carried": "この損失は、この反復より前に計算された値にまだ依存しています",
        "changed": "順伝播が backward のために保存した値が、backward で使われる前に変更されています",
    },
}
