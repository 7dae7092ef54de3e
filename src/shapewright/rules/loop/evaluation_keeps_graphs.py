"""A model is evaluated without `torch.no_grad()`.

## What it finds
Calls of a model whose outputs are only compared or reported, made while gradients are recorded. This is advice, not a
fault: the metrics are right, time and memory are wasted.

## Why it hurts
Every evaluation builds a graph that nothing uses.

## Example
    # a validation loop with model.eval() alone.

## Instead
    # with torch.no_grad(): (or torch.inference_mode()) around it.

## Fix safety
Safe.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import tensors
from ...graph.ledger import ledger
from ...trace import Trace
from ..facts import Facts

code = "SW351"


def check(trace: Trace) -> Iterator[Facts]:
    book = ledger(trace)
    learned = book.learned
    for step in trace.steps if learned else ():
        if step.kind != "forward" or step.site is None or not step.data["grad"] or step.data["training"]:
            continue
        facts = [fact for fact in tensors(step.data["result"]) if fact.producer >= 0]
        if (
            not facts
            or any(fact.producer in learned or fact.producer in book.unfollowed for fact in facts)
            or not any(fact.requires_grad for fact in facts)
        ):
            continue
        module = trace.modules.get(step.data["module"])
        yield Facts(
            step.site,
            fields={"model": module.kind if module else ""},
            severity="remark",
        )


MESSAGES = {
    "en": {
        "message": "{model} is evaluated while autograd records its operations",
        "why": (
            "this call is not used for training; under torch.no_grad() no graph would be built, which saves memory and "
            "time"
        ),
    },
    "es": {
        "message": "{model} se evalúa mientras autograd registra sus operaciones",
        "why": (
            "esta llamada no se usa para entrenar; bajo torch.no_grad() no se construiría el grafo, lo que ahorra "
            "memoria y tiempo"
        ),
    },
    "ja": {
        "message": "autograd が演算を記録したまま {model} を評価しています",
        "why": (
            "この呼び出しは学習に使われません。torch.no_grad() で囲めば計算グラフが作られず、メモリと時間を節約できます"
        ),
    },
}
