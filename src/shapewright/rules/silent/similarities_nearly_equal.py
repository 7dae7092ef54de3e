"""Cosine similarities are made nearly equal before the softmax.

## What it finds
A product of normalized vectors times a number below one (a temperature that multiplies instead of dividing) in the
scores of a cross-entropy, or of a softmax in the loss: even ideal vectors, equal for the right pair and opposite for
all others, would leave the loss close to that of guessing.

## Why it hurts
Cosine similarities lie between -1 and 1. Multiplied by 0.07 they differ by 0.14 at most, so the softmax is nearly even
and the loss hardly changes.

## Example
    logits = F.normalize(a) @ F.normalize(b).T * 0.07

## Instead
    logits = F.normalize(a) @ F.normalize(b).T / 0.07

## Fix safety
The product becomes a division. Nothing is reported of learned scales, or of attention.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, maker, one_per_place, operands, produced
from ...graph.scaling import factor
from ...graph.signs import loss_events
from ...graph.source import Source
from ...graph.training import descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Remedy, Rewrite

code = "SW379"
SHARE = 0.85  # of the loss of guessing
FEWEST = 3
TURNED = SAME_VALUES | ops.named("turns")
LIKELIHOODS = frozenset({"log", "log_softmax", "logsumexp"})
HIDING = frozenset({"masked_fill", "masked_fill_"})
INVERSE: dict[type, ast.operator] = {ast.Mult: ast.Div(), ast.Div: ast.Mult()}


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss whose scores are such similarities."""
    ends = loss_events(trace)
    for event in trace.events:
        classifies = ops.is_a(event.op, "classifies")
        if event.site is None or not (
            classifies or ops.is_a(event.op, "softmaxes", "exponentials") or event.op == "logsumexp"
        ):
            continue
        scores = next(iter(operands(event)), None)
        if scores is None or not scores.requires_grad or scores.rank != 2 or scores.sizes[-1] < FEWEST:
            continue
        times, product, scaled = _similarities(trace, scores)
        if product is None or scaled is None or not 0 < times < 1:
            continue
        guessed = math.log(scores.sizes[-1])
        least = math.log1p((scores.sizes[-1] - 1) * math.exp(-2 * times))
        after = {event.index: event} | descendants(trace, _results(event))
        likelihood = classifies or any(one.op in LIKELIHOODS for one in after.values())
        if least < SHARE * guessed or not likelihood or ends.isdisjoint(after):
            continue
        yield Facts(
            scaled.site or event.site,
            fields={
                "factor": f"{times:.3g}",
                "least": f"{least:.3g}",
                "guessed": f"{guessed:.3g}",
                "count": scores.sizes[-1],
                "apart": f"{2 * times:.3g}",
            },
            origins=place(trace, product.site) + place(trace, event.site),
            severity="warning",
            remedy=_inverse(trace, scaled),
            event=scaled.index,
        )


def _inverse(trace: Trace, scaled: Event) -> Remedy | None:
    """A division in place of a product with a number, or the other way round."""
    node = Source(trace).spanned(scaled.site, ast.BinOp)
    if node is None or not isinstance(node.op, (ast.Mult, ast.Div)):
        return None
    first = isinstance(node.left, ast.Constant)  # `0.07 * scores`
    number, scores = (node.left, node.right) if first else (node.right, node.left)
    return Rewrite(ast.unparse(ast.BinOp(scores, INVERSE[type(node.op)], number)), scaled.site)


def _results(event: Event) -> list[TensorFact]:
    return [event.result] if isinstance(event.result, TensorFact) else []


def _similarities(trace: Trace, fact: TensorFact) -> tuple[float, Event | None, Event | None]:
    """The number that a product of normalized vectors was multiplied by, the product, and where the last number was."""
    times, scaled = 1.0, None
    made = produced(trace, fact)
    for _ in range(12):
        own = factor(made) if made is not None else None
        if made is None or not (own is not None or made.op in TURNED or made.op in HIDING):
            break
        times *= own if own is not None else 1.0
        scaled = made if own not in (None, 1.0) and scaled is None else scaled
        made = produced(trace, operands(made)[0]) if operands(made) else None
    pair = operands(made) if made is not None and ops.is_a(made.op, "matmuls") else []
    return times, made if len(pair) == 2 and all(_normalized(trace, one) for one in pair) else None, scaled


def _normalized(trace: Trace, fact: TensorFact) -> bool:
    """Whether the vectors of a tensor have the length one."""
    made = maker(trace, fact, lambda one: one.op in TURNED or one.op == "cat", 8)
    if made is None or ops.is_a(made.op, "scales_to_one"):
        return made is not None
    if not ops.is_a(made.op, "divides") or len(operands(made)) != 2:
        return False
    by = maker(trace, operands(made)[1], lambda one: one.op in TURNED or one.op.startswith("clamp"), 4)
    return by is not None and ops.is_a(by.op, "measures")


MESSAGES = {
    "en": {
        "message": (
            "{count} cosine similarities per row are multiplied by {factor} before the softmax, which makes them "
            "nearly equal"
        ),
        "why": (
            "after the multiplication, the similarities differ by at most {apart}. With {count} per row, the "
            "cross-entropy cannot fall below {least}; it is {guessed} if all similarities are equal"
        ),
    },
    "es": {
        "message": (
            "las {count} similitudes coseno de cada fila se multiplican por {factor} antes del softmax, lo que las "
            "hace casi iguales"
        ),
        "why": (
            "tras la multiplicación, las similitudes difieren como máximo en {apart}. Con {count} por fila, la "
            "entropía cruzada no puede bajar de {least}; si todas las similitudes son iguales, vale {guessed}"
        ),
    },
    "ja": {
        "message": "1 行につき {count} 個のコサイン類似度が softmax の前に {factor} 倍され、ほとんど等しくなっています",
        "why": (
            "掛けた後の類似度の差は最大でも {apart} です。1 行に {count} 個あるとき、交差エントロピーは {least} "
            "より下がりません (すべて等しいときは {guessed})"
        ),
    },
}
