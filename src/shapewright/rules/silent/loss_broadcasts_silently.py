"""Two tensors with one entry per sample broadcast against each other: every sample is combined with all samples.

## What it finds
An element-wise operation, a comparison or a loss between shapes such as `(32, 1)` and `(32,)`: both broadcast to `(32,
32)`, and what follows averages over all pairs of samples instead of over samples.

## Why it hurts
Nothing raises, and the loss can still fall: where it compares predictions with targets, all predictions are drawn
towards the mean of the targets.

## Example
    values = critic(obs).squeeze(-1)          # (32,)
    loss = ((returns - values) ** 2).mean()   # returns is (32, 1): the difference is (32, 32)

## Instead
    loss = ((returns.squeeze(-1) - values) ** 2).mean()

## Fix safety
Safe where one operand only loses or gains an axis of size one: no value changes place.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.behind import bound_to
from ...graph.flow import (
    ELEMENTWISE,
    POINTWISE,
    REGRESSION_LOSSES,
    backward,
    consumers,
    crossed,
    forward,
    maker,
    operands,
    produced,
    reduced_to_scalar,
    result_shape,
    shown,
    tensors,
)
from ...graph.source import Source
from ...graph.training import handed_on, place
from ...trace import Axis, Event, Origin, TensorFact, Trace
from ..facts import Facts, Span, distinct
from ..remedy import AlignAxes
from ..subjects import of_calls

code = "SW201"

LOSSES = REGRESSION_LOSSES | {
    "margin_ranking_loss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "kl_div",
}
ASKED = ("unsqueeze", "[None]", "view", "reshape")


@of_calls(*ELEMENTWISE, *LOSSES)
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every place at which two tensors of one sample axis are crossed and the result is averaged."""
    pair = (
        [fact for fact in operands(event)[:3] if fact.rank >= 1][-2:]
        if event.op == "where"
        else [f for f in operands(event) if f.rank >= 1][:2]
    )
    if len(pair) != 2 or not crossed(pair[0].shape, pair[1].shape):
        return
    if event.op in LOSSES or _certain(trace, event, *pair):
        yield _facts(trace, event, *pair)


def _certain(trace: Trace, event: Event, a: TensorFact, b: TensorFact) -> bool:
    """Outside a loss: evidence that the crossing was not asked for and that its result becomes one number."""
    if from_one(trace, a, b) or _averaged_apart(trace, event):
        return False
    if (
        a.rank != b.rank
        and not _asked(trace, event, a, near=True)
        and not _asked(trace, event, b, near=True)
        and _meets_samples(trace, event)
    ):
        return True
    if _asked(trace, event, a) or _asked(trace, event, b):
        return False
    if a.rank == b.rank and (
        _turned(trace, event, a)
        or _turned(trace, event, b)
        or not (ops.is_a(event.op, "equates") or a.requires_grad or b.requires_grad)
    ):
        return False
    if not (a.requires_grad or b.requires_grad or _one_axis(a, b) or ops.is_a(event.op, "equates")):
        if (
            a.rank != b.rank
            and (_answer(trace, a) or _answer(trace, b))
            and reduced_to_scalar(trace, event) is not None
        ):
            return True  # what a model gave, without gradients: a metric
        return _feeds_loss(trace, event)
    return reduced_to_scalar(trace, event) is not None or _feeds_loss(trace, event)


def _averaged_apart(trace: Trace, event: Event) -> bool:
    """Whether a sum of all pairs is only averaged as a whole: that is the sum of both averages."""
    users = list(consumers(trace, event.index))
    added = ops.is_a(event.op, "adds") or ops.is_a(event.op, "subtracts")
    return added and bool(users) and all(user.op == "mean" and result_shape(user) == () for user in users)


def _turned(trace: Trace, event: Event, fact: TensorFact) -> bool:
    """Whether an operand is transposed in the very statement: `(a - b.T)` asks for a table."""
    made = produced(trace, fact)
    return (
        made is not None
        and ops.is_a(made.op, "turns")
        and made.site is not None
        and made.site.file == event.site.file
        and event.site.covers(made.site.line)
    )


def _meets_samples(trace: Trace, event: Event) -> bool:
    """Whether the table of all pairs, or some rows picked from it, next meets one learnt value a sample, `(n,)` or
    `(n, 1)`, and becomes one number: an advantage beside log-probabilities, a target beside predictions. A table of
    distances meets tables."""
    made = result_shape(event)
    if made is None or len(made) != 2 or made[0] != made[1]:
        return False
    table = {event.index: made[0]}  # the rows of what was made of the table
    for user in forward(trace, event, POINTWISE | {"getitem", "detach"}, 60):
        own = [fact for fact in operands(user) if fact.producer in table]
        rows = table[own[0].producer] if own else 0
        if own and (user.op in ELEMENTWISE or user.op in LOSSES):
            others = [fact for fact in operands(user) if fact not in own and fact.rank >= 1]
            if others and all(fact.shape in ((rows,), (rows, 1)) and fact.requires_grad for fact in others):
                if user.op in LOSSES or reduced_to_scalar(trace, user) is not None:
                    return True
        shape = result_shape(user) or ()
        picked = user.op == "getitem" and len(shape) == 2 and shape[1] == made[1]
        if own and (picked or (user.op.rstrip("_") in POINTWISE and shape == own[0].shape)):
            table[user.index] = shape[0]
    return False


def _feeds_loss(trace: Trace, event: Event) -> bool:
    """Whether the crossed result becomes an operand of a loss."""
    return any(user.op in LOSSES for user in forward(trace, event, POINTWISE, 60))


def _answer(trace: Trace, fact: TensorFact) -> bool:
    """Whether a column is what a model gave, perhaps joined over batches."""
    gathering = POINTWISE | {"cat", "concat", "stack", "vstack", "cpu", "softmax"}
    made = maker(trace, fact, lambda e: not e.modules and e.op.rstrip("_") in gathering, 8)
    return made is not None and bool(made.modules) and any(one.rank > 1 for one in tensors(made.result))


def _one_axis(a: TensorFact, b: TensorFact) -> bool:
    """Whether the long axes of both are known to be one axis."""
    uids = [{uid for axis in fact.axes for uid, _ in axis.uids} for fact in (a, b)]
    roles = [any(axis.role == "batch" for axis in fact.axes) for fact in (a, b)]
    return bool(uids[0] & uids[1]) or all(roles)


def _asked(trace: Trace, event: Event, fact: TensorFact, near: bool = False) -> bool:
    """Whether the axis of size one was made for this crossing: in the same statement, or (unless only `near` ones
    count) kept by a reduction."""
    for axis in fact.axes:
        if (
            axis.size == 1
            and axis.origin
            and axis.origin.kind == "operator"
            and axis.origin.note in (*ASKED, "keepdim")
        ) and (
            (axis.origin.note == "keepdim" and not near)
            or (
                axis.origin.site
                and event.site
                and axis.origin.site.file == event.site.file
                and event.site.covers(axis.origin.site.line)
            )
        ):
            return True
    return False


def from_one(trace: Trace, a: TensorFact, b: TensorFact) -> bool:
    """Whether both come from one tensor: a table of all pairs on purpose."""
    shaping = frozenset({"unsqueeze", "view", "reshape", "t", "transpose", "getitem", "contiguous", "permute", "float"})
    roots = []
    for fact in (a, b):
        chain = list(backward(trace, fact, shaping))
        passed = {part.uid for event in chain if event.op in shaping for part in operands(event)[:1]}
        roots.append(
            {("event", event.index) for event in chain} | {("tensor", uid) for uid in (passed | {fact.uid}) if uid}
        )
    return bool(roots[0] & roots[1])


def _facts(trace: Trace, event: Event, a: TensorFact, b: TensorFact) -> Facts:
    rank = max(a.rank, b.rank)
    made = tuple(max(m, n) for m, n in zip((1,) * (rank - a.rank) + a.shape, (1,) * (rank - b.rank) + b.shape))
    thin = a if a.rank > b.rank or (a.rank == b.rank and a.shape[-1] == 1) else b
    one = next((axis for axis in reversed(thin.axes) if axis.size == 1), None)
    size = next((axis.size for axis in thin.axes if axis.size > 1), max(thin.shape))
    origins = tuple(
        origin
        for origin in (_origin(one), *(_maker(trace, fact) for fact in (thin, a if thin is b else b)))
        if origin is not None
    )
    filled = [site for fact in (a, b) if not fact.requires_grad for site in handed_on(trace, fact)[-1:]]
    second = "target" if event.op in LOSSES else "`other`"  # as PyTorch names them
    label_a, label_b = a.name or "input", b.name or second
    return Facts(
        site=event.site,
        message="compared" if ops.is_a(event.op, "compares") else "message",
        fields={
            "op": event.op,
            "a": shown(a.shape),
            "b": shown(b.shape),
            "result": shown(made),
            "samples": size,
            "pairs": size * size,
            "left": label_a,
            "right": label_b,
        },
        origins=distinct((*origins, *(o for one in filled for o in place(trace, one))), event),
        spans=(Span(event.site, f"{label_a} {shown(a.shape)} · {label_b} {shown(b.shape)} → {shown(made)}"),),
        cause=(code, thin.uid or event.site),
        event=event.index,
        remedy=AlignAxes(),
    )


def _origin(axis: Axis | None) -> Origin | None:
    return axis.origin if axis is not None else None


def _maker(trace: Trace, fact: TensorFact) -> Origin | None:
    """The user's place at which an operand got its shape, or a name; for a batch that a loader stacked, the loader."""
    event, first = produced(trace, fact), _origin(next(iter(fact.axes), None))
    if event is not None and event.op == "stack" and first is not None and first.kind == "loader":
        return first
    if event is not None and event.site:
        return Origin("operator", event.op, event.site, event.stack, shown(fact.shape))
    return next((Origin("unknown", Source(trace).site_text(site), site) for site in bound_to(trace, fact)), None)


MESSAGES = {
    "en": {
        "message": "{op} broadcasts {a} against {b} to {result}",
        "compared": (
            "{op} broadcasts {a} against {b} to {result}: every sample of one side is compared with all samples of the "
            "other"
        ),
        "why": (
            "{left} has shape {a} and {right} has shape {b}: each of the {samples} samples is combined with all "
            "{samples} samples, which gives {pairs} pairs instead of {samples}"
        ),
    },
    "es": {
        "message": "{op} combina {a} y {b} por broadcasting y da {result}",
        "compared": (
            "{op} combina {a} y {b} por broadcasting y da {result}: cada muestra de un lado se compara con todas las "
            "del otro"
        ),
        "why": (
            "{left} tiene forma {a} y {right} tiene forma {b}: cada una de las {samples} muestras se combina con "
            "todas, lo que da {pairs} parejas en lugar de {samples}"
        ),
    },
    "ja": {
        "message": "{op} は {a} と {b} をブロードキャストし、{result} にしています",
        "compared": (
            "{op} は {a} と {b} をブロードキャストして {result} にし、一方の各サンプルをもう一方の全サンプルと比べてい"
            "ます"
        ),
        "why": (
            "{left} の形状は {a}、{right} の形状は {b} です。{samples} 個のサンプルがそれぞれ {samples} "
            "個すべてと組になり、{samples} 組ではなく {pairs} 組になっています"
        ),
    },
}
