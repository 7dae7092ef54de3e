"""What each axis of a trace counts, told by how it came about and by what other operators did with it: samples, steps,
features. No name is read. An axis of which nothing tells it counts nothing that is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Axis, Event, TensorFact, Trace
from .flow import POINTWISE, RESHAPING, backward, counts_samples, once, operands, sample_uids

MADE = frozenset({"feature", "channel", "vocabulary"})


@once
def roles(trace: Trace) -> Roles:
    """The roles of a trace's axes, remembered for the trace asked about last."""
    return Roles(trace)


class Roles:
    """The roles of the axes of one trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.samples = trace, sample_uids(trace)
        self.steps = frozenset(uid for axis in self._steps() for uid, _ in axis.uids[:1] if len(axis.uids) == 1)

    def of(self, axis: Axis) -> str:
        """`samples`, `features`, `steps`, `one` for an axis of size one, `merged` for samples merged with what each
        has, `places` for what a convolution or a pool left of space, `unmade` where all that is known is that no layer
        and no parameter made it, or empty."""
        if counts_samples(axis, self.samples) and axis.size > 1:
            return "samples"
        if len(axis.uids) > 1 and axis.uids[0][0] in self.samples:
            return "merged"
        if axis.role in MADE and axis.origin is not None and axis.origin.kind == "constructor" and len(axis.uids) <= 1:
            return "features" if axis.size > 1 else "one"
        if axis.size == 1:
            return "one"
        if axis.role == "time" or (len(axis.uids) == 1 and axis.uids[0][0] in self.steps):
            return "steps"
        if axis.role in MADE or axis.origin is None or axis.origin.kind == "parameter" or not axis.uids:
            return ""
        return "places" if axis.origin.kind == "constructor" else "unmade"

    def _steps(self) -> Iterator[Axis]:
        """Axes that a recurrent net runs along, that attention ranges over, along which tokens stand."""
        for event in self.trace.events:
            facts = [fact for fact in operands(event) if fact.axes]
            for fact in facts:
                if ops.is_a(event.op, "recurrent", "attends"):
                    yield from self._plain(fact, event, ("steps", "queries", "keys"))
            if event.op == "embedding":
                index = next((fact for fact in facts if fact.kind != "parameter"), None)
                if index is not None and index.rank == 2 and "int" in index.dtype:
                    yield from (axis for axis in index.axes if not counts_samples(axis, self.samples))
            elif ops.is_a(event.op, "softmaxes"):
                yield from self._attended(event)

    def _plain(self, fact: TensorFact, event: Event, uses: tuple[str, ...]) -> Iterator[Axis]:
        for place, axis in enumerate(fact.axes):
            if ops.use_of(event, fact, place) in uses and not counts_samples(axis, self.samples):
                yield axis

    def _attended(self, event: Event) -> Iterator[Axis]:
        """The rows of scores `q @ k` that a softmax takes, and what it shares out over."""
        scores = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
        if scores is None or scores.rank < 3 or len(scores.axes) != scores.rank:
            return
        product = next(
            (made for made in backward(self.trace, scores, POINTWISE | RESHAPING, 8) if _crosses(made)), None
        )
        if product is not None:
            for axis in scores.axes[-2:]:
                if not counts_samples(axis, self.samples) and axis.role not in MADE:
                    yield axis


def _crosses(event: Event) -> bool:
    """Whether a product's operands are both computed, as queries and keys are."""
    facts = operands(event)
    return ops.is_a(event.op, "contracts") and len(facts) == 2 and all(fact.kind != "parameter" for fact in facts)
