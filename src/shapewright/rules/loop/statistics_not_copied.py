"""A copy follows the parameters of a trained network, but keeps the initial running statistics of BatchNorm.

## What it finds
A network that is kept up to date by copying or averaging the parameters of a trained one, and is used with batch
normalization whose running mean and variance no batch has ever changed.

## Why it hurts
`parameters()` does not hold the running statistics of BatchNorm, which are buffers. In evaluation mode the copy
normalizes with mean 0 and variance 1: its outputs are not those of the network that it follows.

## Example
    for p, q in zip(average.parameters(), model.parameters()):
        p.lerp_(q, 0.01)

## Instead
    for p, q in zip(average.buffers(), model.buffers()):
        p.copy_(q)

## Fix safety
A loop over the buffers is proposed below the one over the parameters; where these are averaged, it is a guess.
Nothing is reported where the copy itself has seen batches in training mode.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import every
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import of_kind, place
from ...trace import Site, Trace
from ..facts import Facts
from ..remedy import InsertLine

code = "SW387"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such copy, where its parameters are written."""
    began = next((step.data["at"] for step in of_kind(trace, "backward")), None)
    counts: dict[int, list[int]] = {}  # batches behind the statistics of each network's layers
    asked = {event.modules[-1]: event.modules[0] for event in trace.events if event.modules}
    for layer, network in asked.items():
        tracked = trace.modules[layer].config.get("tracked") if layer in trace.modules else None
        if tracked is not None:
            counts.setdefault(network, []).append(tracked)
    book, told = ledger(trace), set()
    for event, copy, learner in book.copies() if began is not None and counts else ():
        late = event.index > began and event.site is not None and copy not in told
        if not late or book.trained(copy) or not book.trained(learner):
            continue
        if any(counts.get(copy, [1])) or not any(counts.get(learner, [0])):
            continue
        told.add(copy)
        calls = (step.site for step in of_kind(trace, "forward") if step.data["module"] == copy)
        where = next(calls, None)
        yield Facts(
            event.site,
            fields={"model": trace.modules[copy].kind, "layers": len(counts[copy])},
            origins=(*place(trace, trace.modules[copy].site), *place(trace, where)),
            severity="warning",
            remedy=_followed(trace, event.site),
        )


def _followed(trace: Trace, site: Site) -> InsertLine | None:
    """The buffers copied below a loop over the parameters of both networks; a guess where these are averaged."""
    for loop, header in every(trace, ast.For):
        over, names = loop.iter, loop.target.elts if isinstance(loop.target, ast.Tuple) else []
        pair = over.args if isinstance(over, ast.Call) and getattr(over.func, "id", "") == "zip" else []
        of = [one.func.value for one in pair if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)]
        around = header.file == site.file and loop.lineno < site.line <= (loop.end_lineno or 0)
        if not around or len(of) != 2 or not all(getattr(one.func, "attr", "") == "parameters" for one in pair):
            continue
        write = Source(trace).node_at(site, (ast.Call,))
        read = {node.id for node in ast.walk(write.func) if isinstance(node, ast.Name)} if write is not None else set()
        written = [at for at, name in enumerate(names) if isinstance(name, ast.Name) and name.id in read]
        if len(names) == 2 and len(written) == 1:
            copied = len(write.args) == 1 and isinstance(write.args[0], ast.Name)
            copy, learner = written[0], 1 - written[0]
            code = f"for kept, own in zip({ast.unparse(of[copy])}.buffers(), {ast.unparse(of[learner])}.buffers()): "
            return InsertLine(code + "kept.copy_(own)", site=header, below=True, guessed=not copied)
    return None


MESSAGES = {
    "en": {
        "message": "the copy of {model} keeps the initial running_mean and running_var of its BatchNorm layers",
        "why": (
            "only parameters are copied here, and running_mean and running_var are buffers: in evaluation mode the "
            "BatchNorm layers of the copy ({layers}) normalize with mean 0 and variance 1; copy the buffers as well"
        ),
    },
    "es": {
        "message": (
            "la copia de {model} conserva los valores iniciales de running_mean y running_var de sus capas BatchNorm"
        ),
        "why": (
            "aquí solo se copian los parámetros, pero running_mean y running_var son buffers: en modo de evaluación, "
            "las capas BatchNorm de la copia ({layers}) normalizan con media 0 y varianza 1. Hay que copiar también "
            "los buffers"
        ),
    },
    "ja": {
        "message": "{model} のコピーでは BatchNorm 層の移動統計量 (running_mean、running_var) が初期値のままです",
        "why": (
            "ここでコピーされるのはパラメータだけで、running_mean と running_var "
            "はバッファです。評価モードでは、コピーの BatchNorm 層 ({layers} 個) が平均 0、分散 1 で正規化します。バ"
            "ッファもコピーしてください"
        ),
    },
}
