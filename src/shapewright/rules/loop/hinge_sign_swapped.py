"""A hinge of a positive and a negative pair has its signs swapped.

## What it finds
`relu(margin + positive - negative)` of similarities, or `relu(margin + negative - positive)` of distances, by the
names of the values and by the operator that computed both (`cosine_similarity`, `pairwise_distance`). Also a loss that
takes for each sample the largest of its distances to positives and, with a minus, the largest of those to negatives (or
the smallest similarity of each), so that the negative is the easiest one of the batch and not the hardest.

## Why it hurts
The positive is pushed away and the negative drawn near; the loss falls all the same. The farthest negatives are beyond
the margin at once: nothing moves those that are too near.

## Example
    loss = F.relu(0.2 + pos_sim - neg_sim)

## Instead
    loss = F.relu(0.2 + neg_sim - pos_sim)     # similarities
    loss = F.relu(0.2 + pos_dist - neg_dist)   # distances

## Fix safety
Safe where the names are right. Of an easiest negative, the other extreme is picked, and the places that must not be
picked are filled with the other infinity.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.distances import is_distance
from ...graph.flow import chain, one_per_place, operands, reduced_to_scalar, root, tensors
from ...graph.signs import loss_events, sign_in_loss, step_in_loss
from ...graph.source import Source
from ...graph.training import ancestors, descendants, place
from ...lexicon import says
from ...trace import Event, Trace
from ..facts import Facts
from ..loop_remedy import PickHardest
from ..remedy import SwapSides
from ..subjects import of_calls

code = "SW321"


SENSE = {"cosine_similarity": 1, "pairwise_distance": -1}


def check(trace: Trace) -> Iterator[Facts]:
    """Hinges by their signs, and the negatives that a loss picks."""
    yield from _swapped(trace)
    yield from _easiest(trace)


@one_per_place
def _easiest(trace: Trace) -> Iterator[Facts]:
    """Negatives that are picked from a table of samples against samples as those that cost least."""
    picks: dict[int, list[tuple[Event, int, Event]]] = {}
    ends = loss_events(trace)
    for event in trace.events:
        picked = ops.is_a(event.op, "extremes") and len(operands(event)) == 1
        given = operands(event)[0] if picked else None
        if given is None or given.rank != 2 or len(set(given.sizes)) > 1 or not given.requires_grad:
            continue
        fills = [made for made in chain(trace, given, _filled, 4) if _masks(made)]
        if next(tensors(event.result)).rank == 0 or not fills:
            continue
        table = root(trace, given, _filled, 8)
        sign = sign_in_loss(trace, event, ends, step=_handed)
        if sign and table.producer >= 0:
            picks.setdefault(table.producer, []).append((event, sign, fills[0]))
    for index, found in picks.items():
        made = trace.events[index]
        signs = {sign for _, sign, _ in found}
        far = is_distance(trace, next(tensors(made.result)))
        alike = not far and ops.is_a(made.op, "contracts") and "reflected" not in made.flags
        for event, sign, fill in found if len(signs) == 2 and (far or alike) else ():
            largest = event.op.removeprefix("a") == "max"
            if sign == (-1 if far else 1) and largest is far and event.site is not None:
                other = next(one for one, turned, _ in found if turned != sign)
                if _keeps_same(trace, fill):
                    yield from _exchanged(trace, event, other, made)
                    continue
                yield Facts(
                    event.site,
                    message="easiest" if far else "least",
                    why="why_easiest" if far else "why_least",
                    fields={"line": other.site.line if other.site is not None else 0},
                    origins=tuple(o for one in (made.site, other.site) if one != event.site for o in place(trace, one)),
                    event=event.index,
                    remedy=PickHardest(fill.site, far) if fill.site is not None else None,
                )


def _exchanged(trace: Trace, positive: Event, negative: Event, made: Event) -> Iterator[Facts]:
    """At the hinge of two picks of which the positives are rewarded for being far apart."""
    both = [descendants(trace, list(tensors(pick.result))) for pick in (positive, negative)]
    ends = (event for index, event in sorted(both[0].items()) if index in both[1])
    for event in itertools.islice((one for one in ends if ops.is_a(one.op, "hinges") or one.op == "softplus"), 1):
        names = [_named(trace, pick, known) for pick, known in zip((positive, negative), both)]
        yield Facts(
            event.site or positive.site,
            fields={"positive": names[0] or "max", "negative": names[1] or "min", "op": made.op},
            origins=tuple(o for one in (positive, negative) if one.site for o in place(trace, one.site)),
            event=event.index,
            remedy=SwapSides("hinge") if all(names) else None,
        )


def _named(trace: Trace, pick: Event, users: dict[int, Event]) -> str:
    """The name by which what was picked is read."""
    own = {pick.index, *(index for index, event in users.items() if ops.is_a(event.op, "keeps_values"))}
    facts = (fact for _, event in sorted(users.items()) for fact in operands(event))
    return next((fact.name for fact in facts if fact.producer in own and fact.name), "")


def _keeps_same(trace: Trace, fill: Event) -> bool:
    """Whether the places that are not filled are those of samples of one class, as a comparison of labels tells."""
    mask = operands(fill)[-1]
    stays = ops.is_a(fill.op, "scales")
    behind = chain(trace, mask, lambda one: len(operands(one)) == 1 or ops.is_a(one.op, "masks"), 6)
    for made in (one for one in behind if one is not None):
        if ops.is_a(made.op, "inverts"):
            stays = not stays
        elif ops.is_a(made.op, "compares") and len(operands(made)) == 2:
            return ops.is_a(made.op, "equates") and stays != ops.is_a(made.op, "differs")
    return False


def _filled(event: Event) -> bool:
    """Whether some places of a table are filled, or added to, so that they are not picked."""
    learning = sum(fact.requires_grad for fact in operands(event)) == 1 and operands(event)[0].requires_grad
    return learning and (_masks(event) or ops.is_a(event.op, "keeps_values", "clamps", "scales", "offsets"))


def _masks(event: Event) -> bool:
    several = len(operands(event)) > 1
    return several and ops.is_a(event.op, "masks", "scales", "offsets") and not operands(event)[-1].requires_grad


def _handed(user: Event, index: int) -> int:
    return 1 if ops.is_a(user.op, "hinges") or user.op == "softplus" else step_in_loss(user, index)


@of_calls("hinges")
def _swapped(trace: Trace, event: Event) -> Iterator[Facts]:
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
        "easiest": "the negatives of this loss are the farthest ones, not the nearest",
        "why_easiest": (
            "the largest distance enters the loss with a minus here (the positives are picked on line {line}): "
            "it is the negative that costs least. The hardest negative is the smallest of the distances to "
            "other classes, with the others filled by infinity"
        ),
        "least": "the negatives of this loss are the least similar ones, not the most similar",
        "why_least": (
            "the smallest similarity enters the loss with a plus here (the positives are picked on line "
            "{line}): it is the negative that costs least. The hardest negative has the largest similarity"
        ),
        "message": "the signs of {positive} and {negative} in this hinge loss are swapped: values of {op} need the "
        "opposite signs",
        "why": (
            "{positive} and {negative} are computed by {op}, so minimizing this loss moves the positive away from the "
            "anchor and the negative closer to it"
        ),
    },
    "es": {
        "easiest": "los negativos de esta pérdida son los más lejanos, no los más cercanos",
        "why_easiest": (
            "la mayor distancia entra aquí en la pérdida con signo menos (los positivos se eligen en la línea "
            "{line}): es el negativo que menos cuesta. El negativo más difícil es la menor de las distancias a "
            "otras clases, con las demás puestas a infinito"
        ),
        "least": "los negativos de esta pérdida son los menos similares, no los más similares",
        "why_least": (
            "la menor similitud entra aquí en la pérdida con signo más (los positivos se eligen en la línea "
            "{line}): es el negativo que menos cuesta. El negativo más difícil tiene la mayor similitud"
        ),
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
        "easiest": "この損失の負例には、最も近いものではなく最も遠いものが選ばれています",
        "why_easiest": (
            "ここでは最大の距離が負の符号で損失に入ります (正例は {line} 行目で選ばれます)。これは損失"
            "が最も小さくなる負例です。最も難しい負例は、ほかを無限大で埋めたうえでの、別クラスとの距離の最小値で"
            "す"
        ),
        "least": "この損失の負例には、最も類似したものではなく最も類似していないものが選ばれています",
        "why_least": (
            "ここでは最小の類似度が正の符号で損失に入ります (正例は {line} 行目で選ばれます)。これは損"
            "失が最も小さくなる負例です。最も難しい負例は類似度が最大のものです"
        ),
        "message": "このヒンジ損失では {positive} と {negative} の符号が入れ替わっています ({op} の値には、それぞれ反"
        "対の符号が必要です)",
        "why": (
            "{positive} と {negative} は {op} で計算されているため、この損失を最小化すると、"
            "正例がアンカーから遠ざけられ、負例がアンカーに近づけられます"
        ),
    },
}
