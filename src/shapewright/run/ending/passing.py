"""A run that failed after loops had been cut, of a script whose loops take too long to be run whole: what the cuts left
out may be why. The line that failed is passed over, so that what comes after it is checked; the reader is told.

The innermost line first; where more and more of a function fails, the line that called it. No torch here."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable

from ...trace import Trace
from ..process.request import RunRequest
from ..process.strain import strain

# what a list left short, a count of nothing or a name without a value causes
KINDS = frozenset(
    {"ValueError", "ZeroDivisionError", "IndexError", "UnboundLocalError", "NameError", "KeyError", "AssertionError"}
    | {"StopIteration", "StatisticsError", "LinAlgError", "AxisError"}
)
OF_NOTHING = frozenset({"TypeError", "AttributeError"})
NOTHING = "'NoneType'"  # Python's word
ROUNDS, FEW = 6, 2
SECONDS = 40.0  # after which no further round begins
Place = tuple[str, int]  # a file and a line


def past_cuts(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> Trace | None:
    """The trace of a run that goes on beyond what failed for want of what was cut; `None` where it may have failed for
    something else, or nothing came of it."""
    passed: dict[Place, tuple[Place, ...]] = {}  # each with the calls that led to it
    known: dict[tuple[Place, ...], tuple[str, str]] = {}  # what failed in these calls
    last, began = trace, time.monotonic()
    for tried in range(ROUNDS):
        failure = last.failure
        if request.brief or failure is None or not of_cuts(last, bool(passed)):
            return None
        if time.monotonic() - began > SECONDS * strain():
            return None
        if tried == 1 and (around := cut_around(trace)) is not None:  # what comes after the cut lacks more than a line
            ended = run_once(dataclasses.replace(request, passing=(around,), engine=trace.engine))
            if ended.outcome.state == "complete":
                data = dataclasses.replace(ended.data, passing=(around,))
                return dataclasses.replace(ended, seconds=ended.seconds + trace.seconds, data=data)
        stack = tuple((site.file, site.line) for site in failure.stack)
        told = failure.kind, failure.message
        while len(stack) > 1 and (known.get(stack[:-1]) == told or list(passed.values()).count(stack[:-1]) >= FEW):
            passed = {place: calls for place, calls in passed.items() if calls != stack[:-1]}
            stack = stack[:-1]  # all that follows in that function lacks the same, or too much of it is left out
        known[stack[:-1]] = told
        if stack[-1] in passed:
            return None
        passed[stack[-1]] = stack[:-1]
        last = run_once(dataclasses.replace(request, passing=tuple(passed), engine=trace.engine))
        beyond = any(one.kind == "passed-over" for one in last.assumptions)
        if last.outcome.state == "complete" or (beyond and last.outcome.reason.startswith("timeout")):
            data = dataclasses.replace(last.data, passing=tuple(passed))
            return dataclasses.replace(last, seconds=last.seconds + trace.seconds, data=data)
    return None


def cut_around(trace: Trace) -> Place | None:
    """Where the innermost loop begins that was cut and that a run failed in."""
    frames = trace.failure.stack if trace.failure is not None else ()
    for frame in reversed(frames):
        around = [loop.site for loop in trace.loops if loop.cut and loop.site.file == frame.file]
        around = [site for site in around if site.covers(frame.line)]
        if around:
            inner = min(around, key=lambda site: site.end_line - site.line)
            return inner.file, inner.line
    return None


def of_cuts(trace: Trace, behind: bool = False) -> bool:
    """Whether a run failed after a training, in no call of torch's, as for want of something; or `behind` a line that
    was passed over.

    >>> from shapewright.trace import Outcome
    >>> of_cuts(Trace("train.py", Outcome("complete")))
    False
    """
    failure = trace.failure
    trained = any(loop.trained for loop in trace.loops) or any(step.kind == "backward" for step in trace.steps)
    if not trained or failure is None or failure.event is not None or failure.ours or not failure.stack:
        return False
    return behind or of_a_cut(failure.kind, failure.message)


def of_a_cut(kind: str, message: str) -> bool:
    """Whether an exception is of those that a list left short causes, a count of nothing or a name without a value.

    >>> of_a_cut("IndexError", "list index out of range"), of_a_cut("TypeError", "expected str")
    (True, False)
    """
    return kind in KINDS or (kind in OF_NOTHING and NOTHING in message)
