"""The labels of masked tokens are the mask token itself, because the masking also changed the labels.

## What it finds
A loss at the masked positions whose targets were overwritten there: `labels = ids` keeps no copy, and `ids[mask] =
MASK` changes both.

## Why it hurts
Every target at these positions is the mask token: the model can lower the loss by predicting it everywhere.

## Example
    labels = ids
    ids[mask] = MASK
    loss = F.cross_entropy(model(ids)[mask], labels[mask])

## Instead
    labels = ids.clone()

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.batches import names_of
from ...graph.flow import argument, produced
from ...graph.source import Source, walk
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import KeepCopy
from ..subjects import of_calls

code = "SW298"
WRITING = frozenset({"setitem", "masked_fill_"})


@of_calls("classifies")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every loss whose targets are what was just written in their place."""
    source = Source(trace)
    target = argument(event, 1, "target")
    picked = produced(trace, target) if isinstance(target, TensorFact) else None
    if (
        picked is None
        or not ops.is_a(picked.op, "selects")
        or len(picked.args) < 2
        or not all(isinstance(part, TensorFact) for part in picked.args[:2])
    ):
        return
    labels, mask = picked.args[:2]
    written = next((other for other in trace.events[: picked.index] if _writes(other, labels, mask)), None)
    if written is None or mask.dtype != "bool" or written.site is None:
        return
    alias = _alias(source, written)
    site = source.site(alias, written.site.file) if alias is not None else written.site
    yield Facts(
        site,
        fields={"line": written.site.line, "loss": event.site.line},
        origins=place(trace, written.site) + place(trace, picked.site),
        remedy=KeepCopy(code=".clone()") if alias is not None else None,
    )


def _writes(event: Event, labels: TensorFact, mask: TensorFact) -> bool:
    """Whether an event writes one number to exactly these places of this tensor."""
    if (
        event.op not in WRITING
        or len(event.args) < 3
        or not isinstance(event.args[0], TensorFact)
        or not isinstance(event.args[1], TensorFact)
    ):
        return False
    return (
        event.args[0].uid == labels.uid != 0
        and event.args[1].uid == mask.uid != 0
        and isinstance(event.args[2], (int, float))
        and event.args[2] >= 0
    )


def _alias(source: Source, written: Event) -> ast.Assign | None:
    """The assignment above the writing by which the labels became a second name of the ids."""
    statement = source.statement_at(written.site)
    scope = source.function_at(written.site) or source.tree(written.site.file)
    names = names_of(statement)
    found = [
        node
        for node in walk(scope)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Name)
        and isinstance(node.targets[0], ast.Name)
        and names & {node.value.id, node.targets[0].id}
        and node.lineno <= written.site.line
    ]
    return found[-1] if found else None


MESSAGES = {
    "en": {
        "message": "the labels at the masked positions are overwritten with a single value",
        "why": (
            "line {line} writes one value into the tensor of the labels at the masked positions, and the loss on line "
            "{loss} reads the labels there"
        ),
    },
    "es": {
        "message": "las etiquetas de las posiciones enmascaradas se sobrescriben con un único valor",
        "why": (
            "la línea {line} escribe un solo valor en el tensor de las etiquetas, en las posiciones enmascaradas, y la "
            "pérdida de la línea {loss} lee ahí las etiquetas"
        ),
    },
    "ja": {
        "message": "マスクした位置のラベルが、すべて同じ 1 つの値で上書きされています",
        "why": (
            "{line} 行目は、ラベルのテンソルのうちマスクした位置に同じ値を書き込み、{loss} 行目の損失はその位置のラベル"
            "を読みます"
        ),
    },
}
