"""A call of PyTorch fails, and no other rule explains it.

## What it finds
Any failure inside torch, or of the user's own shape check, that belongs to none of the families: the call, its
operands' shapes and the place.

## Why it hurts
The script stops there.

## Example
    torch.linalg.cholesky(torch.randn(3, 4))

## Instead
    torch.linalg.cholesky(a @ a.T + torch.eye(3))     # a is (3, 4): the product is square

## Fix safety
No fix is proposed: the constraint of the call is not known to this rule.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.backwalk import operands, tensors
from ...graph.origins import Origins, blend
from ...trace import Trace
from ..facts import Facts, Span
from ..failing import failing_call, shape_text
from ..remedy import Misfit

code = "SW199"
aliases = ("call-refuses-its-operands",)


def check(trace: Trace) -> Iterator[Facts]:
    """Whatever stopped the run at a fault; on shapes alone a refusal may be the engine's own, and is told as something
    that was not checked."""
    failure = trace.failure
    if failure is None or failure.site is None or trace.outcome.state != "stopped" or trace.engine == "dry":
        return
    call = failing_call(trace)
    given = operands(call.event) if call is not None and call.event is not None else list(tensors(failure.module_args))
    if not given:
        given = [fact for fact in tensors(list(failure.values.values()))] or (
            [failure.read] if failure.read is not None else []
        )
    origins = Origins(trace)
    name = call.op if call is not None else ""
    text = origins.source.site_text(failure.site)
    labels = tuple(
        Span(failure.site, f"{fact.name or name or 'operand'} {shape_text(fact.shape)}")
        for fact in given[:4]
        if fact.shape is not None
    )
    layer = (
        origins.of_module(call.module)
        if call is not None and call.module is not None and call.config("library") == "torch"
        else []
    )
    answers = [origins.of_rank(fact)[:2] for fact in given[:3]]
    node = origins.source.node_at(failure.site)
    names = [origins.of_definition(d) for d in origins.source.definitions(node, failure.stack)] if not given else []
    yield Facts(
        failure.site,
        "message" if name else "plain",
        "why" if labels else "error",
        {
            "op": name,
            "text": text,
            "kind": failure.kind,
            "said": (failure.message.strip().split("\n") or [""])[0][:160],
            "shapes": " · ".join(span.label for span in labels),
        },
        blend(layer, names, *answers),
        spans=labels,
        remedy=Misfit(name, module=call.module.uid if call and call.module else -1),
    )


MESSAGES = {
    "en": {
        "message": "{op} fails with these operands",
        "plain": "{text} fails",
        "why": "the shapes are: {shapes}; the error says: {said}",
        "error": "{kind}: {said}",
    },
    "es": {
        "message": "{op} falla con estos operandos",
        "plain": "{text} falla",
        "why": "las formas son: {shapes}; el error dice: {said}",
        "error": "{kind}: {said}",
    },
    "ja": {
        "message": "{op} はこれらのオペランドで失敗しました",
        "plain": "{text} が失敗しました",
        "why": "形状は {shapes} です。エラーの内容: {said}",
        "error": "{kind}: {said}",
    },
}
