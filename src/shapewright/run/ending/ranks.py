"""A script of several processes is run as rank 0 and as rank 1 of two, and their collective calls are compared: where
they part, real ranks would wait for each other for ever. So are the files that they write and the data that they train
on. No torch here."""

from __future__ import annotations

import dataclasses
from typing import Protocol

from ... import ops
from ...graph.flow import TARGET_LOSSES as MEANS
from ...graph.flow import reduction
from ...trace import TensorFact, Trace
from ...trace.ranks import Apart, Collective, Ranks
from ..process.request import RunRequest

SHARES = (2, 0.5)  # by the number of ranks
POINTWISE = frozenset({"send", "recv", "isend", "irecv"})  # of two ranks, each its own part


class Runs(Protocol):
    """Who runs a script alone, or as both ranks of two at the same time."""

    def run(self, request: RunRequest) -> Trace: ...

    def pair(self, request: RunRequest) -> tuple[Trace, Trace]: ...


def compared(request: RunRequest, trace: Trace, runs: Runs) -> Trace:
    """`trace`, with what two ranks do differently, or the trace of the rank that fails where one process does not."""
    ranks = trace.data.ranks
    if ranks is None or not ranks.grouped or trace.outcome.state != "complete" or trace.engine == "dry":
        return trace
    plain = dataclasses.replace(request, probe=False)
    if ranks.divided:  # one rank's part of each tensor shows the sizes that all have
        alone = runs.run(dataclasses.replace(plain, rank=0))
        return _failed((alone, alone)) or trace
    both = runs.pair(plain)
    one, other = (each.data.ranks for each in both)
    if one is None or other is None:
        return trace
    if (failed := _failed(both)) is not None:
        return failed
    parted = apart(one.calls, other.calls)
    if parted is None and one.stuck is not None and other.stuck is not None:
        parted = Apart(one.stuck, other.stuck)
    if any(each.outcome.state != "complete" for each in both):  # what a rank does after its failure is not known
        if parted is None or parted.first is None or parted.second is None:
            return trace
        return _with(trace, dataclasses.replace(ranks, apart=parted))
    theirs = {path for path, _ in other.saved}
    twice = tuple((path, site) for path, site in one.saved if path in theirs)
    alike = tuple(site for mark, site in one.read if (mark, site) in other.read)
    summed = one.summed if one.rates == ranks.rates and _averages(both[0]) else ()
    found = dataclasses.replace(ranks, apart=parted, twice=twice, alike=alike, summed=summed)
    return dataclasses.replace(_with(trace, found), seconds=trace.seconds + max(each.seconds for each in both))


def of_ranks_alone(trace: Trace) -> bool:
    """Whether only several processes show what is found: an edit that fits two of them need not fit more."""
    return trace.data.ranks is not None and trace.data.ranks.failed is not None


def _with(trace: Trace, ranks: Ranks) -> Trace:
    return dataclasses.replace(trace, data=dataclasses.replace(trace.data, ranks=ranks))


def _failed(both: tuple[Trace, Trace]) -> Trace | None:
    """The trace of the rank that an operator stops although a single process goes on: of one that got from the other
    all that it asked for, or of the first where both fail at the same place."""
    stopped = [trace for trace in both if trace.outcome.state == "stopped" and trace.failure is not None]
    alike = len({trace.failure.site for trace in stopped if trace.failure is not None}) == 1 < len(stopped)
    known = (trace for trace in stopped if trace.data.ranks is not None and not trace.data.ranks.guessed)
    found = stopped[0] if alike else next(known, None)
    if found is None or found.data.ranks is None:
        return None
    return _with(found, dataclasses.replace(found.data.ranks, failed=both.index(found)))


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
