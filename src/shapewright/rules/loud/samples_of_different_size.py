"""A DataLoader batches samples of different sizes.

## What it finds
A collation that fails because the samples of one batch do not have the same shape.

## Why it hurts
The script stops at the first batch that mixes lengths or image sizes.

## Example
    loader = DataLoader(sentences, batch_size=16)          # each sample has its own length

## Instead
    loader = DataLoader(sentences, batch_size=16, collate_fn=pad)     # pad_sequence(batch, batch_first=True)

## Fix safety
Padding needs a mask or lengths further on, so that it is not read as data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend, distinct
from ...graph.source import Source, walk
from ...ops.indexing import is_slice
from ...trace import Origin, TensorFact, Trace
from ...trace.said import Refusal
from ..facts import Facts, Span
from ..failing import failing_call, shape_text
from ..remedy import Misfit

code = "SW129"


def check(trace: Trace) -> Iterator[Facts]:
    """A `stack` that failed inside the collation of a DataLoader."""
    failure, call = trace.failure, failing_call(trace)
    if call is None or call.event is None or not ops.is_a(call.op, "joins") or not _collating(trace):
        if not _numbers(trace):
            return
    parts = list(tensors(call.event.args[:1])) if call is not None and call.event is not None else []
    if call is not None and len({part.shape for part in parts}) < 2:
        return
    origins = Origins(trace)
    first = parts[0] if parts else None
    odd = next((part for part in parts if part.shape != first.shape), None) if first is not None else None
    axis = (
        next((i for i in range(min(len(first.shape), len(odd.shape))) if first.shape[i] != odd.shape[i]), 0)
        if odd is not None
        else 0
    )
    loaders = [
        Origin("loader", origins.source.text(node, file), origins.source.site(node, file))
        for node, file in _loaders(origins)
    ]
    samples = distinct(
        [
            *(origins.of_axis(odd, axis) if odd is not None else []),
            *(origins.of_axis(first, axis) if first is not None else []),
        ]
    )
    yield Facts(
        failure.site,
        "message",
        "why" if odd is not None else "lists",
        {
            "first": shape_text(first.shape) if first is not None else "",
            "other": shape_text(odd.shape) if odd is not None else "",
            "axis": axis,
            "count": len(parts),
        },
        blend(_beyond(origins, odd), samples, loaders, most=6),
        spans=tuple(Span(failure.site, f"sample {i + 1} {shape_text(part.shape)}") for i, part in enumerate(parts[:4])),
        remedy=Misfit("collate", axis=axis),
    )


def _collating(trace: Trace) -> bool:
    """Whether the failing call belongs to a DataLoader: its frames say so, or the user's line is the head of a loop
    that draws a batch."""
    failure = trace.failure
    if any("collate" in frame for frame in failure.library):
        return True
    statement = Source(trace).statement_at(failure.site)
    return (
        isinstance(statement, ast.For)
        and failure.site.line == statement.lineno
        and "torch" not in ast.unparse(statement.iter)
    )


def _beyond(origins: Origins, fact: TensorFact | None) -> list[Origin]:
    """Where a window was cut off by the end of its series: the data set's `__len__`, which counts windows that do not
    fit."""
    event = origins.producer(fact) if fact is not None else None
    if event is None or event.op != "getitem" or len(event.args) < 2 or event.site is None:
        return []
    entries = event.args[1] if isinstance(event.args[1], tuple) else (event.args[1],)
    whole = event.args[0].shape or ()
    cut = any(
        is_slice(e) and isinstance(e.value, tuple) and isinstance(e.value[1], int) and e.value[1] > size
        for e, size in zip(entries, whole)
    )
    function = origins.source.function_at(event.site)
    owner = getattr(function, "parent", None)
    for method in getattr(owner, "body", ()) if cut else ():
        if isinstance(method, ast.FunctionDef) and method.name == "__len__":
            value = next((n for n in walk(method) if isinstance(n, ast.Return)), method)
            return [
                Origin(
                    "condition",
                    origins.source.text(value, event.site.file),
                    origins.source.site(value, event.site.file),
                )
            ]
    return []


def _numbers(trace: Trace) -> bool:
    """Lists of numbers of different lengths fail in the collation without any torch call."""
    return (
        any("collate" in frame for frame in trace.failure.library)
        and trace.failure.event is None
        and Refusal.UNEQUAL in trace.failure.said
        if trace.failure is not None and trace.failure.site is not None
        else False
    )


def _loaders(origins: Origins):
    """The places in the sources where a DataLoader is made."""
    for file in origins.trace.sources:
        for node in walk(origins.source.tree(file)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "DataLoader":
                yield node, file


MESSAGES = {
    "en": {
        "message": "the samples of a batch have different sizes",
        "why": (
            "the samples of a batch ({count}) are joined into one tensor, but two of them have the shapes {first} and "
            "{other}"
        ),
        "lists": "the default collate function needs lists of equal length",
    },
    "es": {
        "message": "las muestras de un lote tienen tamaños distintos",
        "why": (
            "las muestras de un lote ({count}) se unen en un tensor, pero dos de ellas tienen las formas {first} y "
            "{other}"
        ),
        "lists": "la función collate por defecto necesita listas de la misma longitud",
    },
    "ja": {
        "message": "1 つのバッチの中で、サンプルのサイズがそろっていません",
        "why": "バッチの {count} 個のサンプルを 1 つのテンソルにまとめますが、{first} と {other} は形状が違います",
        "lists": "既定の collate でリストをまとめるには、長さが同じでなければなりません",
    },
}
