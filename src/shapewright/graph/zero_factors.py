"""Parameters that are multiplied with each other while all of them are zeros. Pure: it reads a `Trace` and judges
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from .. import ops
from ..trace import Event, ParameterFact, TensorFact, Trace
from .flow import operands, produced
from .ledger import Ledger, ledger


def zero_factors(trace: Trace) -> Iterator[tuple[Event, list[ParameterFact]]]:
    """Every product of parameters, or of rows of them, that began as zeros and had no gradient but zeros in any
    step."""
    book = ledger(trace)
    idle = {uid for uid, fact in book.parameters.items() if fact.idle} & book.stepped
    for event in trace.events if len(idle) > 1 else ():
        if event.site is None or "grad" not in event.flags or not ops.is_a(event.op, "contracts", "scales"):
            continue
        own = next((uid for fact in operands(event) if (uid := book.aliased(fact)) in idle), 0)
        rest = [book.learners(fact) & idle for fact in operands(event) if book.aliased(fact) != own]
        rows = {uid for fact in operands(event) if (uid := _table(trace, book, fact)) in idle} if not own else set()
        met = {own}.union(*rest) if own else rows
        if len(met) > 1:
            yield event, [book.parameters[uid] for uid in sorted(met)]


def _table(trace: Trace, book: Ledger, fact: TensorFact) -> int:
    """The parameter of which a tensor is some rows, or 0."""
    made = produced(trace, fact)
    picked = made is not None and ops.is_a(made.op, "selects", "indexes")
    return next((uid for part in operands(made) if (uid := book.aliased(part))), 0) if made and picked else 0
