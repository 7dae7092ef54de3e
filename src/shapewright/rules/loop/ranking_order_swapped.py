"""A ranking or triplet loss is given its sides in the wrong order.

## What it finds
By the names of the values: `margin_ranking_loss(rejected, chosen, ones)`, `triplet_margin_loss(anchor, negative,
positive)`,
`-logsigmoid(rejected - chosen)`, or the right order with a target of -1.

## Why it hurts
The model is trained to rank the wrong answer first; the loss falls as it should.

## Example
    loss = -F.logsigmoid(rejected_scores - chosen_scores).mean()

## Instead
    # the better side first, target +1.

## Fix safety
Safe where the names are right. Distances, energies and losses, where less is better, are not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, forward, lineage, operands, produced
from ...graph.source import Source
from ...graph.training import ancestors, place
from ...lexicon import says
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SwapSides
from ..subjects import of_calls

code = "SW312"
DISTANCES = ops.named("measures", "distances", "measures_error")


@of_calls("ranks_pairs", "triplets", "log_sigmoids")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    if ops.is_a(event.op, "ranks_pairs"):
        first, second, target = (argument(event, i, name) for i, name in enumerate(("input1", "input2", "target")))
        yield from _ranked(trace, event, first, second, _sign(trace, target))
    elif ops.is_a(event.op, "log_sigmoids"):
        given = argument(event, 0, "input")
        source = produced(trace, given) if isinstance(given, TensorFact) else None
        if source is not None and source.op == "mul":  # beta * (a - b)
            source = next(
                (made for fact in operands(source) if (made := produced(trace, fact)) is not None and made.op == "sub"),
                source,
            )
        pair = operands(source) if source is not None and source.op == "sub" else []
        for _ in range(2):  # (chosen - rejected) - (reference chosen - reference rejected)
            inner = produced(trace, pair[0]) if len(pair) == 2 and not (_side(pair[0]) and _side(pair[1])) else None
            pair = operands(inner) if inner is not None and inner.op == "sub" else pair
        if len(pair) == 2 and _negated(trace, event):
            yield from _ranked(trace, event, *pair, 1)
    else:
        positive, negative = argument(event, 1, "positive"), argument(event, 2, "negative")
        if _role(trace, positive) < 0 < _role(trace, negative):
            yield _facts(trace, event, positive, negative, "triplet")


def _ranked(trace: Trace, event: Event, first: TensorFact, second: TensorFact, sign: int) -> Iterator[Facts]:
    sides = _side(first), _side(second)
    if (
        sign
        and sides in ((1, -1), (-1, 1))
        and sides[0] != sign
        and not (_distance(trace, first) or _distance(trace, second))
    ):
        yield _facts(trace, event, first, second, "why" if sign > 0 else "sign")


def _facts(trace: Trace, event: Event, first: TensorFact, second: TensorFact, why: str) -> Facts:
    source, made = Source(trace), [(fact, produced(trace, fact)) for fact in (first, second)]
    names = [fact.name or (source.site_text(one.site) if one is not None else "") for fact, one in made]
    return Facts(
        event.site,
        why=why,
        fields={"op": event.op, "first": names[0], "second": names[1]},
        origins=tuple(o for _, one in made if one is not None for o in place(trace, one.site)),
        event=event.index,
        remedy=SwapSides(),
    )


def _role(trace: Trace, fact: object) -> int:
    """The side of an operand of a triplet loss: by its own name, else by the names of the tensors that it was computed
    from, if they agree."""
    own = _side(fact) or _letter(getattr(fact, "name", ""))
    if own or not isinstance(fact, TensorFact):
        return own
    made = lineage(trace, fact, lambda e: [f for f in operands(e) if f.kind == "tensor" and not _side(f)], 60)
    told = {_side(part) for event in made for part in operands(event) if part.kind == "tensor"} - {0}
    return told.pop() if len(told) == 1 else 0


def _letter(name: str) -> int:
    return says(name, "preferred_letter") - says(name, "rejected_letter")


def _side(fact: object) -> int:
    """+1 for what is named as the better side, -1 for the worse, 0 where the name does not say, or where less is
    better."""
    name = getattr(fact, "name", "")
    if says(name, "less_is_better"):
        return 0
    return -1 if says(name, "rejected") else 1 if says(name, "preferred") else 0


def _sign(trace: Trace, target: object) -> int:
    """The sign of a constant target, 0 where it is not known."""
    made = produced(trace, target) if isinstance(target, TensorFact) else None
    if made is None:
        return 0
    if ops.is_a(made.op, "fills_ones"):
        return 1
    if ops.is_a(made.op, "fills_given"):
        value = next(
            (
                part
                for part in (*made.args[1:], *made.kwargs.values())
                if isinstance(part, (int, float)) and not isinstance(part, bool)
            ),
            0,
        )
        return (value > 0) - (value < 0)
    inner = operands(made)
    if made.op == "neg" and inner:
        return -_sign(trace, inner[0])
    if made.op == "mul" and len(inner) == 1:
        factor = next((part for part in made.args if isinstance(part, (int, float))), 0)
        return ((factor > 0) - (factor < 0)) * _sign(trace, inner[0])
    if ops.is_a(made.op, "keeps_values") and inner:
        return _sign(trace, inner[0])
    return 0


def _negated(trace: Trace, event: Event) -> bool:
    """Whether the result of a log-sigmoid is negated or its mean is, as a loss to be made small."""

    return any(
        user.op == "neg" or (user.op == "mul" and -1 in user.args)
        for user in forward(trace, event, frozenset({"mean", "sum", "mul"}), 3)
    )


def _distance(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is a distance by the way it is computed: then less is better."""
    near = sorted(ancestors(trace, fact, 60), reverse=True)[:12]
    return any(trace.events[index].op in DISTANCES for index in near)


MESSAGES = {
    "en": {
        "message": "{op} seems to get its inputs in the wrong order: {first} before {second}",
        "why": "this loss pushes the first input above the second, so {first} is trained to score higher than {second}",
        "sign": (
            "a target of -1 pushes the second input above the first, so {second} is trained to score higher than "
            "{first}"
        ),
        "triplet": (
            "the second argument is pulled towards the anchor and the third is pushed away: here {first} is pulled "
            "and {second} pushed"
        ),
    },
    "es": {
        "message": "{op} parece recibir sus entradas en el orden equivocado: {first} antes que {second}",
        "why": (
            "esta pérdida empuja la primera entrada por encima de la segunda, así que se entrena {first} para puntuar "
            "más que {second}"
        ),
        "sign": (
            "un objetivo de -1 empuja la segunda entrada por encima de la primera, así que se entrena {second} para "
            "puntuar más que {first}"
        ),
        "triplet": (
            "el segundo argumento se acerca al ancla y el tercero se aleja: aquí se acerca {first} y se aleja {second}"
        ),
    },
    "ja": {
        "message": "{op} に渡す順序が逆のようです: {first} が {second} より前にあります",
        "why": "1 番目を 2 番目より高くする損失なので、{first} が {second} より高いスコアになるよう学習します",
        "sign": (
            "ターゲットが -1 なので 2 番目を 1 番目より高くします。{second} が {first} "
            "より高いスコアになるよう学習します"
        ),
        "triplet": (
            "2 番目の引数はアンカーに近づけられ、3 番目は遠ざけられます。ここでは {first} が近づき {second} "
            "が遠ざかります"
        ),
    },
}
