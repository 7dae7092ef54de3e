"""A hinge of a positive and a negative pair has its signs swapped.

## What it finds
`relu(margin + positive - negative)` of similarities, or `relu(margin + negative - positive)` of distances, by the
names of the values and by the operator that computed both (`cosine_similarity`, `pairwise_distance`).

## Why it hurts
The positive is pushed away and the negative drawn near; the loss falls all the same.

## Example
    loss = F.relu(0.2 + pos_sim - neg_sim)

## Instead
    loss = F.relu(0.2 + neg_sim - pos_sim)     # similarities
    loss = F.relu(0.2 + pos_dist - neg_dist)   # distances

## Fix safety
Safe where the names are right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import operands, reduced_to_scalar
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...lexicon import says
from ...trace import Event, Trace
from ..facts import Facts
from ..remedy import SwapSides
from ..subjects import of_calls

code = "SW321"


SENSE = {"cosine_similarity": 1, "pairwise_distance": -1}


@of_calls("hinges")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every hinge that grows with what should be rewarded."""
    call = Source(trace).spanned(event.site, ast.Call)
    if call is None or reduced_to_scalar(trace, event) is None:
        return
    inner = (
        call.args[0]
        if call.args and not _number(call.args[0])
        else call.func.value
        if isinstance(call.func, ast.Attribute)
        else None
    )
    terms = dict(_terms(inner, 1)) if isinstance(inner, ast.BinOp) else {}
    better = [name for name in terms if says(name, "preferred") and not says(name, "rejected")]
    worse = [name for name in terms if says(name, "rejected")]
    if len(better) != 1 or len(worse) != 1 or terms[better[0]] == terms[worse[0]]:
        return
    made = {name: source for name in (better[0], worse[0]) if (source := _made(trace, event, name)) is not None}
    senses = {SENSE.get(source.op, 0) for source in made.values()}
    if len(made) == 2 and len(senses) == 1 and terms[better[0]] in senses:
        yield Facts(
            event.site,
            fields={"positive": better[0], "negative": worse[0], "op": made[better[0]].op},
            origins=tuple(o for source in made.values() for o in place(trace, source.site)),
            event=event.index,
            remedy=SwapSides("hinge"),
        )


def _number(node: ast.expr) -> bool:
    """Whether an argument is a bound, not the value that is clamped."""
    return isinstance(node, (ast.Constant, ast.UnaryOp))


def _terms(node: ast.expr | None, sign: int) -> Iterator[tuple[str, int]]:
    """The names in a sum and the sign of each."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _terms(node.left, sign)
        yield from _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield from _terms(node.operand, -sign)
    elif isinstance(node, ast.Name):
        yield node.id, sign


def _made(trace: Trace, event: Event, name: str) -> Event | None:
    """The event that made the value of this name, as far as it went into the hinge."""
    for step in (
        sorted(ancestors(trace, operands(event)[0], 400).values(), key=lambda step: -step.index)
        if operands(event)
        else ()
    ):
        for fact in operands(step):
            if fact.name == name and fact.producer >= 0:
                return trace.events[fact.producer]
    return None


MESSAGES = {
    "en": {
        "message": "the signs of {positive} and {negative} in this hinge loss are swapped: values of {op} need the "
        "opposite signs",
        "why": (
            "{positive} and {negative} are computed by {op}, so minimizing this loss moves the positive away from the "
            "anchor and the negative closer to it"
        ),
    },
    "es": {
        "message": (
            "en esta pérdida hinge, los signos de {positive} y {negative} están intercambiados: por ser valores de "
            "{op}, cada uno necesita el signo contrario"
        ),
        "why": (
            "{positive} y {negative} se calculan con {op}, así que al minimizar esta pérdida el positivo se aleja del "
            "ancla y el negativo se acerca a ella"
        ),
    },
    "ja": {
        "message": "このヒンジ損失では {positive} と {negative} の符号が入れ替わっています ({op} の値には、それぞれ反"
        "対の符号が必要です)",
        "why": (
            "{positive} と {negative} は {op} で計算されているため、この損失を最小化すると、"
            "正例がアンカーから遠ざけられ、負例がアンカーに近づけられます"
        ),
    },
}
