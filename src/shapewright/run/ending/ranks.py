"""A script of several processes is run as rank 0 and as rank 1 of two, and their collective calls are compared: where
they part, real ranks would wait for each other for ever. So are the files that they write and the data that they train
on. No torch here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ...trace import Trace
from ...trace.ranks import Apart, Collective
from ..process.request import RunRequest

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
    ended = all(one.outcome.state == "complete" for one in pair)
    if not ended or told[0] is None or told[1] is None:
        return trace
    parted = apart(told[0].calls, told[1].calls)
    theirs = {path for path, _ in told[1].saved}
    twice = tuple((path, site) for path, site in told[0].saved if path in theirs)
    alike = tuple(site for mark, site in told[0].read if (mark, site) in told[1].read)
    data = dataclasses.replace(trace.data, ranks=dataclasses.replace(ranks, apart=parted, twice=twice, alike=alike))
    return dataclasses.replace(trace, data=data, seconds=trace.seconds + sum(one.seconds for one in pair))


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
