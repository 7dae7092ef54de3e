"""The advantage that weights a policy's loss still carries the critic's gradients.

## What it finds
A log-probability multiplied by `returns - values`, where the values come from a critic with their graph, and the same
values are also
regressed on the returns.

## Why it hurts
The actor's loss then trains the critic as well: it raises the values of actions that did well by chance to make the
loss smaller, against
what the critic's own loss asks for.

## Example
    advantage = returns - values
    loss = -(log_prob * advantage).mean() + advantage.pow(2).mean()

## Instead
    loss = -(log_prob * advantage.detach()).mean() + advantage.pow(2).mean()

## Fix safety
Safe for actor-critic methods. Methods that differentiate through the value on purpose multiply no log-probability by
it; still a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import POINTWISE, REGRESSION_LOSSES, lineage, operands, produced
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import ancestors, descendants, losses, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Detach
from ..subjects import of_calls

code = "SW221"
AVERAGING = frozenset({"mul", "sum", "mean"})  # the value of a state: what its actions are worth, by their chances
BETWEEN = POINTWISE | {"squeeze", "unsqueeze", "view", "reshape", "flatten", "stack", "getitem", "cat"}


@of_calls("mul")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every policy loss whose weights learn too."""
    source = Source(trace)
    pair = [fact for fact in operands(event) if fact.requires_grad]
    if len(pair) != 2:
        return
    for chance, weight in (pair, pair[::-1]):
        difference = _difference(trace, weight)
        if difference is None or not _log_probability(trace, source, chance) or _log_probability(trace, source, weight):
            continue
        value = [fact for fact in operands(difference) if fact.requires_grad][-1]
        if not (_learned(trace, difference, value, event) or _regressed(trace, chance, value)) or not any(
            event.index in ancestors(trace, fact) for _, fact in losses(trace)
        ):
            continue
        yield Facts(
            event.site,
            fields={
                "source": source.site_text(difference.site),
                "name": weight.name or difference.result.name or "advantage",
                "line": difference.site.line,
            },
            origins=place(trace, difference.site),
            severity="warning",
            event=event.index,
            remedy=Detach(name=weight.name or difference.result.name),
        )
        break


def _difference(trace: Trace, fact: TensorFact) -> Event | None:
    """The subtraction of something that learns from something that does not, behind a weight."""
    for event in lineage(trace, fact, lambda e: _learning(e) if e.op.rstrip("_") in BETWEEN else ()):
        parts = operands(event)
        if event.op == "sub" and len(parts) == 2 and event.site is not None and isinstance(event.result, TensorFact):
            learning = [part for part in parts if part.requires_grad]
            if (len(learning) == 1 and _of_a_model(trace, learning[0])) or (
                len(learning) == 2 and _of_a_model(trace, parts[1]) and _bootstrap(trace, parts[0])
            ):
                return event
    return None


def _learning(event: Event) -> list[TensorFact]:
    return [part for part in operands(event) if part.requires_grad]


def _bootstrap(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is a reward plus a discounted answer of a model."""
    made = produced(trace, fact)
    return any(
        factor.op == "mul" and any(_of_a_model(trace, inner) for inner in _learning(factor)[:1])
        for part in (operands(made) if made is not None and made.op == "add" else ())
        for factor in lineage(trace, part, lambda e: _learning(e)[:1] if e.op == "mul" else ())
    )


def _of_a_model(trace: Trace, fact: TensorFact) -> bool:
    """Whether a value is a model's answer, but for its shape, or an average of its answers."""

    def follow(event: Event) -> list[TensorFact]:
        same = ops.is_a(event.op, "reshapes", "joins", "points", "splits")
        return operands(event)[:1] if same else _learning(event) if event.op in AVERAGING else []

    return any(event.modules for event in lineage(trace, fact, follow, 8))


def _log_probability(trace: Trace, source: Source, fact: TensorFact) -> bool:
    """Whether a factor is a log-probability, perhaps negated, stacked or reshaped."""

    def follow(event: Event) -> list[TensorFact]:
        given = (_learning(event) if event.op == "mul" else []) or operands(event)[:1]
        return given if event.op.rstrip("_") in BETWEEN | {"sum", "neg"} else []

    for event in lineage(trace, fact, follow, 20):
        if ops.is_a(event.op, "softmaxes", "points") and (
            event.op != "gather"
            or any(ops.is_a(e.op, "softmaxes", "soft_extremes") for e in ancestors(trace, fact, 60).values())
        ):
            return True
        if "log_prob" in source.site_text(event.site):
            return True
    return False


def _learned(trace: Trace, difference: Event, value: TensorFact, product: Event) -> bool:
    """Whether the values have a loss of their own, beside the product."""
    beside = {product.index, *descendants(trace, [TensorFact(producer=product.index)])}
    for event in descendants(trace, [TensorFact(producer=difference.index), value]).values():
        if event.index not in beside and (
            event.op in REGRESSION_LOSSES
            or ops.is_a(event.op, "powers")
            or (event.op == "mul" and len({f.uid for f in operands(event)}) == 1)
        ):
            return True
    return False


def _regressed(trace: Trace, chance: TensorFact, value: TensorFact) -> bool:
    """Whether what the values learn by, and the policy does not, learns from a regression as well."""
    book = ledger(trace)
    own = book.learners(value) - book.learners(chance)
    return bool(own) and any(
        own & book.learners(fact)
        for event in trace.events
        if event.op in REGRESSION_LOSSES
        for fact in operands(event)[:1]
    )


MESSAGES = {
    "en": {
        "message": "{name} weights the policy's loss while still attached to the critic's graph",
        "why": (
            "`{source}` (line {line}) subtracts values that require gradients and have a loss of their own; "
            "without detach() the actor's loss trains the critic too"
        ),
    },
    "es": {
        "message": "{name} pondera la pérdida de la política mientras sigue unido al grafo del crítico",
        "why": (
            "`{source}` (línea {line}) resta valores que llevan gradiente y que ya tienen su propia pérdida; sin "
            "detach() la pérdida del actor entrena también al crítico"
        ),
    },
    "ja": {
        "message": "方策の損失の重み {name} が、critic の計算グラフにつながったままです",
        "why": (
            "`{source}` ({line} 行目) は勾配を持つ価値を引いており、その価値には専用の損失があります。detach() "
            "がないと actor の損失が critic まで学習させます"
        ),
    },
}
