"""A classifier or language model is trained and evaluated by its loss alone.

## What it finds
`CrossEntropyLoss` in a script that trains, and no accuracy, perplexity or other metric anywhere. Advice, no fault.

## Why it hurts
With a shape fault that mixes samples or axes the training loss can still fall. Accuracy on held-out data, or next-token
accuracy, can show such a fault.

## Example
    print(f"epoch {epoch}: loss {epoch_loss:.4f}")

## Instead
    correct += (logits.argmax(-1) == targets).sum().item()
    total += targets.numel()
    print(f"epoch {epoch}: loss {epoch_loss:.4f}, accuracy {correct / total:.1%}")

Count samples (or tokens) over the whole set: a mean of batch means gives a small last batch too much weight.

## Fix safety
Safe: nothing that trains is changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import calls
from ...graph.source import Source, walk
from ...lexicon import says
from ...trace import Trace
from ..facts import Facts

code = "SW392"
is_opinion = True


def check(trace: Trace) -> Iterator[Facts]:
    """The place of the loss, where nothing else is measured."""
    if (
        any(says(text, "measured") for text in trace.sources.values())
        or any(_counts(node) for file in trace.sources for node in Source(trace).nodes(file))
        or not any(step.kind == "backward" for step in trace.steps)
    ):
        return
    for name, _, site in calls(trace):
        if name.split(".")[-1] in ("CrossEntropyLoss", "cross_entropy"):
            yield Facts(site, severity="remark")
            return


def _counts(node: ast.AST) -> bool:
    """Whether it counts what equals something, `(scores.argmax(1) == labels).float().mean()`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ops.is_a(node.func.attr, "totals", "casts")
        and any(isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.Eq) for part in walk(node.func.value))
    )


MESSAGES = {
    "en": {
        "message": "only a loss is reported, but no accuracy or other metric",
        "why": (
            "the loss can fall even if the model is wrong; also measure accuracy on held-out data (per token in a "
            "language model)"
        ),
    },
    "es": {
        "message": "solo se muestra una pérdida, sin la exactitud ni ninguna otra métrica",
        "why": (
            "la pérdida puede bajar aunque el modelo se equivoque; conviene medir también la exactitud con datos de "
            "validación (por token en un modelo de lenguaje)"
        ),
    },
    "ja": {
        "message": "損失だけが報告され、正解率などの指標が測られていません",
        "why": (
            "モデルが誤っていても損失は下がることがあります。検証データの正解率も測ってください "
            "(言語モデルではトークンごと)"
        ),
    },
}
