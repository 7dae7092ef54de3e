"""A run that ended where a data set of the script's own needs what is not here is run again without its samples, until
the shapes of all parts are known that its operators tell. The run counts where it comes to its end. No torch here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ...trace import Trace
from ..engines.auto import OUTGROWN
from ..process.request import Guess, RunRequest

LACKING = frozenset({"missing-module", "missing-data", "empty-data"})
MOST = 5


def without_samples(
    request: RunRequest,
    trace: Trace,
    guess: Guess,
    run_once: Callable[[RunRequest], Trace],
    mismatch: Callable[[Trace], tuple[int, int]],
) -> tuple[Trace, Guess]:
    """The trace that counts, and the guess that it was made with; `mismatch` tells which size a failed operator expects
    and which it was given."""
    last, spent = trace, trace.seconds
    other = guess
    for _ in range(MOST):
        named = {*other.unread, last.data.unread} - {""} if last.outcome.state != "complete" else {*other.unread}
        learnt = {key: (key, *form) for key, form in last.data.learnt}
        known = {key: (key, *form) for key, *form in other.samples} | learnt
        expected, given = mismatch(last)
        if not learnt and expected != given:
            for key, (_, shape, high) in known.items():
                known[key] = (key, tuple(expected if size == given else size for size in shape), high)
        again = dataclasses.replace(other, unread=tuple(sorted(named)), samples=tuple(known.values()))
        if again == other or not named:
            break
        other, last = again, run_once(dataclasses.replace(request, guess=again))
        spent += last.seconds
    done = last.outcome.state == "complete" or last.outcome.reason == OUTGROWN  # which is made small and run again
    if done and len(last.events) > len(trace.events) and not last.data.learnt:
        return dataclasses.replace(last, seconds=spent), other
    return trace, guess
