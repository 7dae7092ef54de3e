"""A check of shapes that the script (or a library) makes itself fails.

## What it finds
A failing `assert` or a `raise` under an `if` that reads a tensor's shape; a `TensorDataset` of tensors of different
length; a library's check of its input.

## Why it hurts
The script stops at the check; often the shapes went wrong at an earlier line.

## Example
    assert x.size(1) == self.channels, "wrong number of channels"

## Instead
    give the model what it asks for, or build it for what it gets

## Fix safety
Removing the check may move the failure elsewhere or hide it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.backwalk import tensors
from ...graph.origins import Origins, blend
from ...trace import TensorFact, Trace
from ..facts import Facts, Span
from ..failing import shape_text
from ..remedy import Misfit

code = "SW143"


def check(trace: Trace) -> Iterator[Facts]:
    """The failing check and the tensors that it reads."""
    failure = trace.failure
    if failure is None or failure.site is None or failure.event is not None or trace.outcome.state != "stopped":
        return
    if failure.kind not in ("AssertionError", "ValueError", "RuntimeError"):
        return
    origins = Origins(trace)
    statement = origins.source.statement_at(failure.site)
    own = isinstance(statement, (ast.Assert, ast.Raise))
    library = failure.kind == "AssertionError" or failure.module >= 0
    if not own and not library:
        return
    read = {
        name: value
        for name, value in failure.values.items()
        if isinstance(value, TensorFact) and value.shape is not None and "." not in name
    }
    given = list(tensors(failure.module_args)) if not own else []
    if not read and failure.read is not None and own:
        read = {failure.read.name or "x": failure.read}
    facts = list(read.values()) or given
    if not own and not facts:
        return
    node = (
        statement.test
        if isinstance(statement, ast.Assert)
        else getattr(statement, "parent", None)
        if own
        else origins.source.node_at(failure.site)
    )
    asked = node.test if isinstance(node, ast.If) else node
    names = (
        [origins.of_definition(d) for d in origins.source.definitions(asked, failure.stack)]
        if isinstance(asked, ast.expr)
        else []
    )
    module = trace.modules.get(failure.module)
    layer = origins.of_module(module) if module is not None and module.is_torch else []
    answers = [[*origins.of_rank(fact)[:2], *origins.of_axis(fact, 0)[:2]] for fact in facts[:3]]
    labels = tuple(
        Span(failure.site, f"{name} {shape_text(value.shape)}") for name, value in list(read.items())[:4]
    ) or tuple(Span(failure.site, shape_text(fact.shape)) for fact in given[:4])
    yield Facts(
        failure.site,
        "message" if own else "library",
        "why" if labels else "bare",
        {
            "text": origins.source.text(asked, failure.site.file) if own else origins.source.site_text(failure.site),
            "said": (failure.message.strip().split("\n") or [""])[0][:160] or failure.kind,
            "shapes": " · ".join(span.label for span in labels),
        },
        blend(layer, *answers, names, origins.callers(failure.stack)[:2]),
        spans=labels,
        remedy=Misfit("check"),
    )


MESSAGES = {
    "en": {
        "message": "the script stopped itself with one of its own checks: {text}",
        "library": "a library rejected the call {text}",
        "why": "the shapes are: {shapes}; the error says: {said}",
        "bare": "the error says: {said}",
    },
    "es": {
        "message": "el script se detuvo en una de sus propias comprobaciones: {text}",
        "library": "una biblioteca rechazó la llamada {text}",
        "why": "las formas son: {shapes}; el error dice: {said}",
        "bare": "el error dice: {said}",
    },
    "ja": {
        "message": "スクリプト自身の検査で停止しました: {text}",
        "library": "ライブラリが呼び出し {text} を受け付けませんでした",
        "why": "形状は {shapes} です。エラーの内容: {said}",
        "bare": "エラーの内容: {said}",
    },
}
