"""A script of several processes is run as rank 0 and as rank 1 of two, and their collective calls are compared: where
they part, real ranks would wait for each other for ever. So are the files that they write and the data that they train
on. No torch here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ... import ops
from ...graph.flow import TARGET_LOSSES as MEANS
from ...graph.flow import reduction
from ...trace import TensorFact, Trace
from ...trace.ranks import Apart, Collective
from ..process.request import RunRequest

SHARES = (2, 0.5)  # by the number of ranks
POINTWISE = frozenset({"send", "recv", "isend", "irecv"})  # of two ranks, each its own part


def compared(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> Trace:
    """`trace`, with what two ranks do differently."""
    ranks = trace.data.ranks
    if (
        ranks is None
        or not ranks.grouped
        or ranks.divided
        or trace.outcome.state != "complete"
        or trace.engine == "dry"
    ):
        return trace
    plain = dataclasses.replace(request, probe=False)
    pair = [run_once(dataclasses.replace(plain, rank=rank)) for rank in (0, 1)]
    told = [one.data.ranks for one in pair]
    if told[0] is None or told[1] is None:
        return trace
    parted = apart(told[0].calls, told[1].calls)
    if any(one.outcome.state != "complete" for one in pair):  # what a rank does after its failure is not known
        if parted is None or parted.first is None or parted.second is None:
            return trace
        return dataclasses.replace(
            trace, data=dataclasses.replace(trace.data, ranks=dataclasses.replace(ranks, apart=parted))
        )
    theirs = {path for path, _ in told[1].saved}
    twice = tuple((path, site) for path, site in told[0].saved if path in theirs)
    alike = tuple(site for mark, site in told[0].read if (mark, site) in told[1].read)
    summed = told[0].summed if told[0].rates == ranks.rates and _averages(pair[0]) else ()
    found = dataclasses.replace(ranks, apart=parted, twice=twice, alike=alike, summed=summed)
    data = dataclasses.replace(trace.data, ranks=found)
    return dataclasses.replace(trace, data=data, seconds=trace.seconds + sum(one.seconds for one in pair))


def _averages(trace: Trace) -> bool:
    """Whether a rank averages its losses over its own samples, and nothing divides them by the number of ranks: sums
    over samples, and shares of a count of all ranks, may be added up."""
    means = False
    for event in trace.events:
        target = event.op in MEANS
        if not any(part.requires_grad for part in event.given) or (event.modules and not target):
            continue
        reduced = reduction(event) if target else event.op
        by = event.args[1] if ops.is_a(event.op, "scales") and len(event.args) > 1 else None
        shared = isinstance(by, TensorFact) and not by.rank and not by.requires_grad
        if reduced == "sum" or by in SHARES or shared:
            return False
        means = means or reduced == "mean"
    return means


def apart(first: tuple[Collective, ...], second: tuple[Collective, ...]) -> Apart | None:
    """The first calls of two ranks that do not belong together.

    >>> one, other = Collective("all_reduce", (4,), None), Collective("barrier", (), None)
    >>> apart((one, other), (one, other)), apart((one, other), (one,)).first.op
    (None, 'barrier')
    """
    ours, theirs = ([call for call in calls if call.op not in POINTWISE] for calls in (first, second))
    for number in range(max(len(ours), len(theirs))):
        one = ours[number] if number < len(ours) else None
        other = theirs[number] if number < len(theirs) else None
        if one is None or other is None or (one.op, one.shape) != (other.op, other.shape):
            return Apart(one, other)
    return None
