"""The advantage that weights a policy's loss still carries the critic's gradients.

## What it finds
A log-probability multiplied by `returns - values`, where the values come from a critic with their graph, and the same
values are also regressed on the returns.

## Why it hurts
The actor's loss then trains the critic as well: it moves the values in a direction that does not depend on the returns.

## Example
    advantage = returns - values
    loss = -(log_prob * advantage).mean() + advantage.pow(2).mean()

## Instead
    loss = -(log_prob * advantage.detach()).mean() + advantage.pow(2).mean()

## Fix safety
Safe for actor-critic methods. A warning, since the gradient may be intended.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, REGRESSION_LOSSES, lineage, operands
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import ancestors, descendants, losses, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Detach
from ..subjects import of_calls

code = "SW221"
of_any_rank = True
MOST = 400  # steps of a trajectory are many
BETWEEN = POINTWISE | {"squeeze", "unsqueeze", "view", "reshape", "flatten", "stack", "getitem", "cat"}


@of_calls("mul")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every policy loss whose weights learn too."""
    source, book = Source(trace), ledger(trace)
    pair = [fact for fact in operands(event) if fact.requires_grad]
    for chance, weight in (pair, pair[::-1]) if len(pair) == 2 else ():
        own = book.learners(weight) - book.learners(chance)
        difference = _entering(trace, weight, own) if own else None
        if (
            difference is None
            or not _log_probability(trace, source, chance)
            or _log_probability(trace, source, weight)
            or not _added_up(trace, event)
            or not _regressed(trace, event, weight, own)
            or not own & _taught(trace, event)
        ):
            continue
        name = weight.name or getattr(difference.result, "name", "")
        yield Facts(
            event.site,
            fields={
                "source": source.site_text(difference.site),
                "name": name or "advantage",
                "line": difference.site.line if difference.site is not None else 0,
            },
            origins=place(trace, difference.site),
            severity="warning",
            event=event.index,
            remedy=Detach(name=name),
        )
        break


def _taught(trace: Trace, event: Event) -> frozenset[int]:
    """What learns from the first loss that was computed at a place: what it does to others may be cleared before their
    step, but nothing is after the last."""
    for step, fact in losses(trace):
        if any(one.op == event.op and one.site == event.site for one in ancestors(trace, fact).values()):
            return ledger(trace).taught(step)
    return frozenset()


def _entering(trace: Trace, weight: TensorFact, own: frozenset[int]) -> Event | None:
    """The nearest subtraction behind a weight by which some parameters come to have a say in it."""
    book = ledger(trace)
    for event in lineage(trace, weight, _learning, MOST):
        parts = [fact for fact in operands(event) if fact.requires_grad and book.learners(fact) & own]
        if ops.is_a(event.op, "subtracts") and event.site is not None and parts:
            return event
    return None


def _learning(event: Event) -> list[TensorFact]:
    return [part for part in operands(event) if part.requires_grad]


def _added_up(trace: Trace, product: Event) -> bool:
    """Whether a product is but added up into a loss: what is compared with targets later on is a model's answer."""
    after = descendants(trace, [TensorFact(producer=product.index)])
    return not any(event.modules or ops.is_a(event.op, "powers", "targets", "contracts") for event in after.values())


def _log_probability(trace: Trace, source: Source, fact: TensorFact) -> bool:
    """Whether a factor is a log-probability, perhaps negated, stacked or reshaped."""

    def follow(event: Event) -> list[TensorFact]:
        given = (_learning(event) if event.op == "mul" else []) or operands(event)[:1]
        return given if event.op.rstrip("_") in BETWEEN | {"sum", "neg"} else []

    for event in lineage(trace, fact, follow, 20):
        if ops.is_a(event.op, "points") and (
            event.op != "gather"
            or any(ops.is_a(e.op, "softmaxes", "soft_extremes") for e in ancestors(trace, fact, 60).values())
        ):
            return True
        if "log_prob" in source.site_text(event.site):
            return True
    return False


def _regressed(trace: Trace, product: Event, weight: TensorFact, own: frozenset[int]) -> bool:
    """Whether some parameters learn from a regression that the product has no part in."""
    book = ledger(trace)
    both = *ancestors(trace, weight).values(), *descendants(trace, [TensorFact(producer=product.index)]).values()
    beside = {event.site for event in both}
    return any(
        own & book.learners(fact)
        for event in trace.events
        if event.site not in beside
        and (
            event.op in REGRESSION_LOSSES
            or ops.is_a(event.op, "powers")
            or (event.op == "mul" and len({part.uid for part in operands(event)}) == 1)
        )
        for fact in operands(event)[:1]
    )


MESSAGES = {
    "en": {
        "message": "the policy's loss is weighted by {name}, which is still attached to the critic's graph",
        "why": (
            "`{source}` (line {line}) uses the critic's values without detach(). These values already have a "
            "regression loss; now the actor's loss trains the critic too"
        ),
    },
    "es": {
        "message": "la pérdida de la política se pondera con {name}, que sigue unido al grafo del crítico",
        "why": (
            "`{source}` (línea {line}) usa los valores del crítico sin detach(). Esos valores ya se entrenan con una "
            "pérdida de regresión; así, la pérdida del actor entrena también al crítico"
        ),
    },
    "ja": {
        "message": "方策の損失の重み {name} が、critic の計算グラフにつながったままです",
        "why": (
            "`{source}` ({line} 行目) は critic の予測値を detach() なしで使っています。この値には回帰の損失が別にあり"
            "ます。このままでは actor の損失が critic まで学習させます"
        ),
    },
}
