"""Whether a failure stays whatever data were made up: what they alone caused is no fault of the script, and what comes
about without them is none of theirs. No torch here."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from ...trace import Trace
from ..process.request import Guess, RunRequest
from .asked import cost
from .sized import ROWS, STEPS

TABLES = frozenset({"pandas", "polars", "cudf", "modin"})
SHARE = 4  # of the time that a run may take
PARTS = re.compile(r"values to unpack \(expected (?:at least )?(\d+)")  # Python's words
UNWRITTEN = ("NotImplementedError", "")
OTHER = 7  # more numbers per row, and rows


def unwritten(trace: Trace) -> bool:
    """Whether a run came to what its author left to be written: no data mend that.

    >>> from shapewright.trace import Outcome
    >>> unwritten(Trace("a.py", Outcome("complete")))
    False
    """
    failure = trace.failure
    return failure is not None and failure.event is None and (failure.kind, failure.message) == UNWRITTEN


def stays(request: RunRequest, trace: Trace, guess: Guess, run_once: Callable[[RunRequest], Trace]) -> bool:
    """Whether a statement that reads arrays alone fails at the same place with the same words where all data that were
    made up have other sizes, axes and values; without another run where nothing was made up of a size, or of a value.
    What torch refuses may come of what a library would have made: a model, a graph. What else is refused may come of
    the form of its tables: how many axes what it makes of one has is not made up otherwise by another guess.

    >>> from shapewright.trace import Outcome
    >>> stays(RunRequest("a.py"), Trace("a.py", Outcome("complete")), Guess(), lambda request: 1 / 0)
    False
    """
    failure = trace.failure
    if unwritten(trace):
        return True
    if any(one.kind == "stand-in-values" and one.fields.get("module") in TABLES for one in trace.assumptions):
        return False
    if failure is None or trace.outcome.state != "stopped" or cost(trace) > request.timeout / SHARE:
        return False
    if failure.event is not None or not all(getattr(one, "kind", "") == "array" for one in failure.values.values()):
        return False
    axes = () if guess.axes else (STEPS, -1)
    sizes = {"width": guess.width + OTHER, "many": (guess.many or ROWS) + OTHER, "axes": axes}
    other = dataclasses.replace(guess, low=not guess.low, floats=not guess.floats, **sizes)
    if {*sizes, "low", "floats"}.isdisjoint(trace.data.consulted):
        return True
    again = run_once(dataclasses.replace(request, guess=other)).failure
    if again is None or (again.stack, again.kind, again.message) != (failure.stack, failure.kind, failure.message):
        return False
    parted = PARTS.search(failure.message) is not None  # in as many as data have
    return not parted or (bool(failure.values) and again.values == failure.values)
