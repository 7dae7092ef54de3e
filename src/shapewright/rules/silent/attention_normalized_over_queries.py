"""Attention weights are normalized over one axis and summed over another.

## What it finds
`softmax(scores, dim=d)`, or the same written with `exp` and `sum`, followed (apart from dropout and transposes) by a
matrix product that sums over a different axis, or by a product with evenly spaced values that is summed over a
different axis, as in an expected value. Also weights that are normalized over the heads, and weights that are
multiplied elementwise with values and summed over a different axis.

## Why it hurts
The weights of one query do not add up to 1, so the scale of its output depends on the other queries. Nothing raises:
softmax keeps the shape.

## Example
    weights = (q @ k.transpose(-2, -1)).softmax(dim=1)   # over the queries
    out = weights @ v                                    # sums over the keys

## Instead
    weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)

## Fix safety
The axis is the one that the product sums over; no shape changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import chain, consumers, dim_of, forward, maker, operands, produced, shown
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts, Span, distinct
from ..remedy import SetDim
from ..subjects import of_calls

code = "SW209"
aliases = ("attention-normalised-over-queries",)
MATRIX, BESIDE, VALUES, BY_PLACE = "matrix", "beside", "values", "by_place"
SCORED = ops.named("scales", "masks", "casts", "keeps_values", "clamps")
WEIGHING = ops.named("unsqueezes", "drops", "masks", "multiplies", "casts") | {"getitem"}


@of_calls("softmax", "divides")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every softmax whose axis is not the one that the next product sums over."""
    fact = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
    dim = None if fact is None else _normalized(event) if event.op == "softmax" else _by_hand(trace, event)
    if dim is None or fact.rank not in (2, 3, 4) or fact.shape[dim] < 2:
        return
    product = _product(trace, event) or _expected(trace, event) or _weighed(trace, event)
    if product is None:
        return
    summed, rank, how = product
    if summed == dim or rank != fact.rank or fact.shape[summed] < 2:
        return
    square = fact.shape[dim] == fact.shape[summed] and how != BY_PLACE
    if (
        square
        or how in (BESIDE, VALUES)
        or (rank > 2 and how == MATRIX and dim >= rank - 2)
        or _scored(trace, fact, dim, summed)
    ):
        yield _facts(trace, event, fact, dim, summed, how)


def _normalized(event: Event) -> int | None:
    """The axis that a softmax shares out over."""
    uses = ops.uses(ops.bound(event)).get("input", ())
    return uses.index("normalized") if "normalized" in uses else None


def _by_hand(trace: Trace, event: Event) -> int | None:
    """The axis of a softmax written out: `e / e.sum(dim, keepdim=True)` with `e` an exponential."""
    top, by = event.args[0], event.args[1] if len(event.args) > 1 else None
    made, summed = (produced(trace, fact) if isinstance(fact, TensorFact) else None for fact in (top, by))
    if (
        made is None
        or summed is None
        or made.op != "exp"
        or summed.op != "sum"
        or getattr(summed.args[0], "uid", 0) != top.uid
        or by.rank != top.rank
    ):
        return None
    dim = dim_of(summed)
    return dim % top.rank if dim is not None else None


def _product(trace: Trace, event: Event) -> tuple[int, int, str] | None:
    """`(axis, rank, how)`: the axis of the weights that the only consumer, a matrix product, an einsum or a product
    with logarithms of shares, sums over."""
    current, flipped = event, False
    for _ in range(4):
        users = [
            user
            for user in consumers(trace, current.index)
            if user.iteration == event.iteration or ops.is_a(user.op, "matmuls")
        ]
        if len(users) != 1:
            return None
        user = users[0]
        if user.op == "dropout":
            current = user
            continue
        if ops.is_a(user.op, "turns"):
            if user.op == "permute" or (
                user.op == "transpose"
                and {d % len(user.args[0].shape) for d in user.args[1:3]}
                != {len(user.args[0].shape) - 1, len(user.args[0].shape) - 2}
            ):
                return None
            current, flipped = user, not flipped
            continue
        if user.op == "einsum" and not flipped:
            return _letters(user, current)
        if (ops.is_a(user.op, "multiplies") or ops.is_a(user.op, "divergences")) and not flipped:
            return _beside(trace, user, current)
        if not ops.is_a(user.op, "matmuls"):
            return None
        first = isinstance(user.args[0], TensorFact) and user.args[0].producer == current.index
        rank = user.args[0 if first else 1].rank
        last = rank - 1 if first else rank - 2
        return ((2 * rank - 3 - last) if flipped else last, rank, MATRIX)
    return None


def _beside(trace: Trace, user: Event, weights: Event) -> tuple[int, int, str] | None:
    """The axis along which the logarithms are shares that stand beside the weights: a cross-entropy sums over it."""
    rank = weights.result.rank if isinstance(weights.result, TensorFact) else 0
    for fact in operands(user)[:2]:
        made = maker(trace, fact, lambda e: ops.is_a(e.op, "negates", "masks", "clamps"))
        if made is not None and made.op == "log_softmax" and fact.rank == rank and made.index != weights.index:
            dim = _normalized(made)
            return (dim, rank, BESIDE) if dim is not None else None
    return None


def _expected(trace: Trace, event: Event) -> tuple[int, int, str] | None:
    """The axis over which chances are summed up with the numbers that they are the chances of: an expected value."""
    rank = event.result.rank if isinstance(event.result, TensorFact) else 0
    users = consumers(trace, event.index)
    massed = {_summed_over(user, rank) for user in users}
    for user in (user for user in users if ops.is_a(user.op, "multiplies")):
        others = [fact for fact in operands(user) if fact.producer != event.index]
        if len(others) != 1 or others[0].shape is None or others[0].requires_grad or not _scale(trace, others[0]):
            continue
        wide = [axis + rank - others[0].rank for axis, size in enumerate(others[0].sizes) if size > 1]
        dims = {_summed_over(later, rank) for later in consumers(trace, user.index)}
        if len(wide) == 1 and wide[0] in dims - massed and getattr(user.result, "rank", 0) == rank:
            return wide[0], rank, VALUES
    return None


def _weighed(trace: Trace, event: Event) -> tuple[int, int, str] | None:
    """The axis over which weights are summed up with what they were multiplied with place by place."""
    weights = event.result if isinstance(event.result, TensorFact) else None
    for user in forward(trace, event, WEIGHING, 4) if weights is not None else ():
        pair = [fact for fact in operands(user) if fact.requires_grad and fact.rank == weights.rank + 1]
        if not ops.is_a(user.op, "multiplies") or len(pair) != 2:
            continue
        if any(fact.sizes == (*weights.sizes, 1) for fact in pair):  # the weights, the same for every feature
            dims = {_summed_over(later, weights.rank + 1) for later in consumers(trace, user.index)}
            summed = next(iter(dims)) if len(dims) == 1 else None
            return (summed, weights.rank, BY_PLACE) if summed is not None and summed < weights.rank else None
    return None


def _scored(trace: Trace, fact: TensorFact, dim: int, summed: int) -> bool:
    """Whether scores compare what stands along one axis of theirs, alone, with what stands along `summed`, alone, and
    do so apart for each place along `dim`: queries, keys and heads. Routing, whose capsules compete, compares with
    what has no such axis."""

    def kept(event: Event) -> bool:
        shift = ops.is_a(event.op, "offsets") and [part.requires_grad for part in operands(event)] in ([1], [1, 0])
        return shift or event.op in SCORED

    made = maker(trace, fact, kept)
    pair = operands(made) if made is not None else []
    if made is not None and ops.is_a(made.op, "totals") and pair[0].rank == fact.rank + 1:
        times = produced(trace, pair[0]) if _summed_over(made, pair[0].rank) == fact.rank else None
        sides = operands(times) if times is not None and ops.is_a(times.op, "multiplies") else []
        if len(sides) != 2 or any(side.rank != fact.rank + 1 for side in sides):
            return False
        wide = [[side.sizes[axis] > 1 for axis in range(fact.rank)] for side in sides]
    elif made is not None and ops.is_a(made.op, "matmuls") and [side.rank for side in pair] == [fact.rank] * 2:
        heads = [[side.sizes[axis] > 1 for axis in range(fact.rank - 2)] for side in pair]
        wide = [[*heads[0], True, False], [*heads[1], False, True]]
    else:
        return False
    alone = [{axis for axis, own in enumerate(side) if own and not other[axis]} for side, other in (wide, wide[::-1])]
    compared = len(alone[0]) == len(alone[1]) == 1 and summed in alone[0] | alone[1]
    return compared and dim > 0 and all(side[dim] for side in wide)


def _summed_over(event: Event, rank: int) -> int | None:
    """The one axis that a sum is taken over."""
    dim = dim_of(event) if event.op == "sum" else None
    return dim % rank if dim is not None and rank else None


def _scale(trace: Trace, fact: TensorFact) -> bool:
    """Whether numbers are evenly spaced, as they were made."""
    made = list(chain(trace, fact, lambda e: ops.is_a(e.op, "reshapes", "casts", "scales", "offsets", "moves"), 6))
    first = next(iter(operands(made[-1])), None) if made else fact
    return any(ops.is_a(one.op, "counts_up") for one in made) or (
        first is not None and first.kind == "buffer" and produced(trace, first) is None
    )


def _letters(user: Event, weights: Event) -> tuple[int, int, str] | None:
    """The one axis of the weights that an einsum sums over, by its letters."""
    equation = user.args[0] if user.args and isinstance(user.args[0], str) else ""
    if "->" not in equation or "." in equation:
        return None
    given, made = equation.replace(" ", "").split("->")
    parts = [part for part in user.args[1:] if isinstance(part, TensorFact)] or [
        part for part in (user.args[1] if len(user.args) > 1 else ()) if isinstance(part, TensorFact)
    ]
    for letters, part in zip(given.split(","), parts):
        if part.producer == weights.index and part.rank == len(letters):
            summed = [i for i, letter in enumerate(letters) if letter not in made]
            return (summed[0], part.rank, "") if len(summed) == 1 else None
    return None


def _facts(trace: Trace, event: Event, fact: TensorFact, dim: int, summed: int, how: str) -> Facts:
    module = trace.layer(event)
    origins = ()
    if module is not None and module.kind == "Softmax" and module.site is not None:
        origins = (Origin("constructor", f"Softmax(dim={module.config.get('dim')})", module.site, module.stack),)
    return Facts(
        site=event.site,
        why=f"why_{how}" if how in (BESIDE, VALUES) else "why",
        fields={"shape": shown(fact.shape), "dim": dim, "summed": summed, "name": fact.name or "scores"},
        origins=distinct(origins, event),
        spans=(Span(event.site, f"{fact.name or 'scores'} {shown(fact.shape)}, dim {dim}"),),
        event=event.index,
        remedy=SetDim(dim=dim, want=summed, module=module.uid if module else -1),
    )


MESSAGES = {
    "en": {
        "message": (
            "softmax over axis {dim} of {shape}: the next operation needs weights that add up to 1 along axis {summed}"
        ),
        "why": "the weights add up to 1 along axis {dim}, but the next operation sums them over axis {summed}",
        "why_values": (
            "the probabilities add up to 1 along axis {dim}, but are multiplied by values and summed along axis "
            "{summed}: the sum is not an expected value"
        ),
        "why_beside": (
            "the weights add up to 1 along axis {dim}, but are multiplied by log-probabilities that are normalized "
            "along axis {summed}"
        ),
    },
    "es": {
        "message": (
            "softmax sobre el eje {dim} de {shape}: la operación siguiente necesita pesos que sumen 1 a lo largo del "
            "eje {summed}"
        ),
        "why": (
            "los pesos suman 1 a lo largo del eje {dim}, pero la operación siguiente suma a lo largo del eje {summed}"
        ),
        "why_values": (
            "las probabilidades suman 1 a lo largo del eje {dim}, pero se multiplican por valores y se suman a lo "
            "largo del eje {summed}: la suma no es un valor esperado"
        ),
        "why_beside": (
            "los pesos suman 1 a lo largo del eje {dim}, pero se multiplican por log-probabilidades normalizadas "
            "sobre el eje {summed}"
        ),
    },
    "ja": {
        "message": (
            "{shape} の軸 {dim} に softmax を適用していますが、次の演算に必要なのは軸 {summed} に沿って合計が 1 "
            "になる重みです"
        ),
        "why": "重みの合計は軸 {dim} に沿って 1 になりますが、次の演算は軸 {summed} に沿って足し合わせます",
        "why_values": (
            "確率の合計は軸 {dim} に沿って 1 になりますが、値を掛けて足し合わせるのは軸 {summed} です。この和は期待値に"
            "なりません"
        ),
        "why_beside": (
            "重みの合計は軸 {dim} に沿って 1 になりますが、重みに掛ける対数確率は軸 {summed} に沿って正規化されています"
        ),
    },
}
