"""A shape, a result or a tensor is unpacked into a different number of names than it has parts.

## What it finds
`batch, time = x.shape` where `x` has three axes; `out, (h, c) = gru(x)` where a GRU has one state; `a, b = tensor` over
the first axis.

## Why it hurts
The script stops. Often the tensor has an axis more or less than the line expects, or the module returns something else.

## Example
    batch, time = x.shape             # x is (batch, time, features)

## Instead
    batch, time, _ = x.shape

## Fix safety
`batch, time = x.shape[:2]` takes the first two axes whatever follows; check that the names still mean what they say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact, Trace
from ...trace.said import Refusal
from ..facts import Facts, Span
from ..failing import shape_text
from ..remedy import Misfit

code = "SW133"


def check(trace: Trace) -> Iterator[Facts]:
    """The failing assignment, the number of names and what was unpacked."""
    failure = trace.failure
    if (
        failure is None
        or failure.site is None
        or failure.kind not in ("ValueError", "TypeError")
        or failure.event is not None
    ):
        return
    if Refusal.UNPACKED not in failure.said:
        return
    origins = Origins(trace)
    statement = origins.source.statement_on(failure.site.file, failure.site.line)
    if isinstance(statement, ast.For):
        target, value = statement.target, statement.iter
    elif isinstance(statement, ast.Assign):
        target, value = statement.targets[0], statement.value
    else:
        return
    while isinstance(target, (ast.Tuple, ast.List)) and target.elts and _inner(target, failure):
        target = _inner(target, failure)
    if not isinstance(target, (ast.Tuple, ast.List)):
        return
    count = len(target.elts)
    fields = {"count": count, "text": origins.source.text(value, failure.site.file), "shape": "", "rank": 0, "size": 0}
    if _asks_shape(value) and failure.read is not None:
        fact = failure.read
        yield Facts(
            failure.site,
            "message",
            "why",
            fields | {"shape": shape_text(fact.shape), "rank": len(fact.shape)},
            blend(origins.of_rank(fact), origins.callers(failure.stack)),
            spans=(Span(failure.site, f"{fact.name or 'x'} {shape_text(fact.shape)}"),),
            remedy=Misfit("unpack", shape=fact.shape, count=count),
        )
        return
    event = next(
        (
            e
            for e in reversed(trace.events)
            if e.site is not None and e.site.line == failure.site.line and e.site.file == failure.site.file
        ),
        None,
    )
    made = _iterated(trace)
    called = next(
        (
            e
            for e in reversed(trace.events)
            if e.modules
            and e.site is not None
            and e.site.line == failure.site.line
            and e.site.file == failure.site.file
        ),
        event,
    )
    module = next(
        (
            trace.modules[uid]
            for uid in (called.modules if called is not None else ())
            if uid in trace.modules and trace.modules[uid].is_torch
        ),
        None,
    )
    layer = origins.of_module(module) if module is not None else []
    chain = [origins.of_definition(d) for d in origins.source.definitions(value, failure.stack)]
    yield Facts(
        failure.site,
        "message",
        "tensor" if made is not None else "plain",
        fields
        | (
            {"shape": shape_text(made.shape), "rank": len(made.shape), "size": made.shape[0] if made.shape else 0}
            if made is not None
            else {}
        ),
        blend(_parted(origins, event), layer, origins.of_rank(made) if made is not None else [], chain),
        spans=(Span(failure.site, shape_text(made.shape)),) if made is not None else (),
        remedy=Misfit("unpack", count=count),
    )


def _parted(origins: Origins, event) -> list:
    """Where the axis came from that a `split` parted into too few pieces."""
    if event is None or not ops.is_a(event.op, "parts") or not event.args or not isinstance(event.args[0], TensorFact):
        return []
    axis = event.kwargs.get("dim", event.args[2] if len(event.args) > 2 else 0)
    return origins.of_axis(event.args[0], axis) if isinstance(axis, int) else []


def _inner(target: ast.Tuple, failure) -> ast.AST | None:
    """A nested tuple of names that the failing column lies in."""
    for part in target.elts:
        if (
            isinstance(part, (ast.Tuple, ast.List))
            and part.lineno == failure.site.line
            and part.col_offset + 1 <= failure.site.column <= (part.end_col_offset or 0)
        ):
            return part
    return None


def _asks_shape(value: ast.AST) -> bool:
    """Whether the value is the shape of a tensor."""
    if isinstance(value, ast.Attribute):
        return value.attr == "shape"
    if isinstance(value, ast.Subscript):
        return _asks_shape(value.value)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "size"


def _iterated(trace: Trace) -> TensorFact | None:
    """The tensor whose rows the names should have taken: the last thing done, where the names are."""
    last, site = trace.events[-1] if trace.events else None, trace.failure.site
    if last is None or last.site is None or last.op != "unbind":
        return None
    if not last.site.begins_with(site):
        return None
    return next(iter(tensors(last.args)), None)


MESSAGES = {
    "en": {
        "message": "{text} is unpacked into the wrong number of variables: {count}",
        "why": "the tensor has shape {shape}",
        "tensor": "unpacking splits a tensor of shape {shape} along axis 0, which has size {size}",
        "plain": "the number of parts of the value does not match the number of variables",
    },
    "es": {
        "message": "{text} se desempaqueta en un número de variables equivocado: {count}",
        "why": "el tensor tiene forma {shape}",
        "tensor": "al desempaquetar un tensor de forma {shape}, se divide a lo largo del eje 0, que tiene tamaño "
        "{size}",
        "plain": "el valor tiene un número de partes distinto del número de variables",
    },
    "ja": {
        "message": "{text} をアンパックする変数の数 ({count}) が合いません",
        "why": "テンソルの形状は {shape} です",
        "tensor": "形状 {shape} のテンソルをアンパックすると、サイズ {size} の軸 0 に沿って分かれます",
        "plain": "値の要素の数が変数の数と一致しません",
    },
}
