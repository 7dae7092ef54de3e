"""A run that failed after a loop of it was cut is run once more with every loop whole: what only the cut caused is no
fault of the script.

A script may count on all of its iterations: predictions gathered over an evaluation are compared with every label, a
replay buffer has to hold enough before it is sampled, a function returns from inside an endless loop. Runs in the
asking process: no torch here.
"""

from __future__ import annotations

import ast
import dataclasses
import time
from collections.abc import Callable

from ... import ops
from ...graph.source import Source, walk
from ...trace import Failure, Outcome, Trace
from ..process.request import RunRequest
from ..process.strain import strain
from .older import of_an_age
from .passing import cut_around, past_cuts

LEAST_SECONDS = 5.0
MOST_SECONDS = 40.0
CONFIRMING_SECONDS = 20.0
SMALL = frozenset({"made-small", "made-short"})  # what a run that was made small tells of it
FAILED = (
    "exception",
    "exception-mute",
    "exit",
    "exit-message",
    "missing-data",
    "missing-environment",
    "empty-data",
)  # ends that a script makes for itself


def doubtful(trace: Trace) -> bool:
    """Whether the run ended badly after a loop had been cut, so that the cut may be what ended it."""
    ended = trace.failure is not None or (trace.outcome.state == "incomplete" and trace.outcome.reason in FAILED)
    return ended and cut(trace)


def cut(trace: Trace) -> bool:
    """Whether any loop of the run was cut."""
    return any(loop.cut for loop in trace.loops) or bool(trace.data.library_cut)


def shortened(trace: Trace) -> bool:
    """Whether a loop that only asks a model jumped to its last iteration."""
    return any(item.kind == "loop-shortened" for item in trace.assumptions)


def surely_longer(trace: Trace, seconds: float) -> bool:
    """Whether a run with whole loops would take longer, twice over, by the pace of the iterations that ran.

    >>> from shapewright.trace import LoopFact, Site
    >>> epochs = LoopFact(1, Site("a.py", 3), 2, True, True, length=10, pace=0.1)
    >>> batches = LoopFact(2, Site("a.py", 4), 5, True, True, parent=1, length=505, pace=0.02)
    >>> trace = Trace("a.py", Outcome("complete"), loops=(epochs, batches))
    >>> surely_longer(trace, 25.0), surely_longer(trace, 26.0)  # 0.8 s of epochs, 10 s of batches in 1 of 2, of 10
    (True, False)
    """
    known = {loop.uid: loop for loop in trace.loops}
    left = 0.0
    for loop in trace.loops:
        more = loop.pace * max(loop.length - loop.iterations, 0) if loop.cut else 0.0
        while more and (loop := known.get(loop.parent)) is not None:
            more *= max(loop.length / max(loop.iterations, 1), 1.0) if loop.cut else 1.0
        left += more
    return left > 2 * seconds


def confirmed(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> Trace:
    """`trace`, or that of a run with whole loops where this one did not end as `trace` did.

    A whole run that does not end within its time (s) settles nothing, nor one of all epochs after it; `trace` stands.

    >>> from shapewright.trace import LoopFact, Outcome, Site
    >>> failed = Trace("a.py", Outcome("incomplete", "exception"), loops=(LoopFact(1, Site("a.py", 3), 3, True, True),))
    >>> again = lambda request: Trace("a.py", Outcome("complete" if request.whole else "stopped"))
    >>> confirmed(RunRequest("a.py"), failed, again).outcome.state
    'complete'
    """
    aged = trace.failure is not None and of_an_age(trace, trace.failure)  # which no cut brings about
    if request.whole or aged or not doubtful(trace):
        return trace
    request = dataclasses.replace(request, small=trace.data.small or request.small)
    around = {loop.parent for loop in trace.loops}
    again = None
    if not surely_longer(trace, MOST_SECONDS):
        again = run_whole(request, run_once, spent=trace.seconds, engine=trace.engine)
    outer = [loop for loop in trace.loops if loop.cut and loop.uid in around]
    if again is None and outer and not surely_longer(dataclasses.replace(trace, loops=tuple(outer)), MOST_SECONDS):
        # every epoch, of a few batches each: what is read later of a list may be of any epoch
        again = run_whole(dataclasses.replace(request, epochs=True), run_once, trace.seconds, engine=trace.engine)
        if again is not None and shortened(again) and _same(again.failure, trace.failure):
            again = None  # the same loop was left short
    if again is None and (beyond := past_cuts(request, trace, run_once)) is not None:
        return beyond
    if again is None and (shortened(trace) or _beyond_a_break(trace) or _counts(request, trace, run_once)):
        # that loop may be what the failure comes from, and cannot be run whole: nothing is known
        line = trace.outcome.site.line if trace.outcome.site is not None else "?"
        told = Outcome("incomplete", "timeout", {"seconds": f"{MOST_SECONDS:g}", "line": str(line)}, trace.outcome.site)
        return dataclasses.replace(trace, outcome=told, failure=None)
    if again is None or (_same(again.failure, trace.failure) and again.outcome.state == trace.outcome.state):
        return trace
    told = [one for one in trace.assumptions if one.kind in SMALL and one not in again.assumptions]
    return dataclasses.replace(
        again,
        seconds=again.seconds + trace.seconds,
        assumptions=(*told, *again.assumptions),
        data=dataclasses.replace(again.data, whole=True, small=request.small),
    )


def _counts(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> bool:
    """Whether what failed may come from how many iterations of a loop ran before it was cut: with one iteration more in
    each, other sizes do not fit, or nothing fails there; or that takes too long as well."""
    if trace.failure is None:
        return False
    longer = dataclasses.replace(request, longer=1, timeout=2 * trace.seconds + LEAST_SECONDS)
    again = run_whole(longer, run_once, engine=trace.engine)
    return again is None or not _same(again.failure, trace.failure) or _refused(again) != _refused(trace)


def _refused(trace: Trace) -> object:
    """What did not fit where a run failed: the constraint that was violated where it is known, else all sizes given."""
    failure = trace.failure
    if failure is None or failure.event is None:
        return failure and failure.message  # of arrays it names the sizes
    call = ops.bound(failure.event)
    return (call and ops.misfit(call)) or [one.shape for one in failure.event.given]


def _beyond_a_break(trace: Trace) -> bool:
    """Whether the run failed in a loop that jumped to its last iteration and that may be left before that one."""
    place = cut_around(trace)
    loop = Source(trace).statement_on(*place) if place is not None else None
    return loop is not None and any(isinstance(one, (ast.Break, ast.Return)) for one in walk(loop))


def run_whole(
    request: RunRequest,
    run_once: Callable[[RunRequest], Trace],
    spent: float = 0.0,
    most: float = MOST_SECONDS,
    engine: str = "live",
) -> Trace | None:
    """The trace of a run with whole loops, with the outer ones whole (`request.epochs`) or with loops that are cut
    later (`request.longer`); `None` where it did not end within what is left of the time (s)."""
    left = strain() * min(most, max(LEAST_SECONDS, request.timeout - spent))
    began = time.monotonic()
    whole = not (request.epochs or request.longer)
    again = run_once(dataclasses.replace(request, whole=whole, engine=engine, timeout=left))
    if again.outcome.state == "incomplete" and again.failure is None and again.outcome.reason not in FAILED:
        return None
    return dataclasses.replace(again, seconds=again.seconds or time.monotonic() - began)


def _same(one: Failure | None, other: Failure | None) -> bool:
    """Whether two failures are one: the same exception at the same place."""
    if one is None or other is None:
        return one is other
    return one.kind == other.kind and one.stack == other.stack
