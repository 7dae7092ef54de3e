"""A run that failed after data were made up for it is run again with other guesses about them: what only a guess caused
is no fault of the script.

Where one guess brings it to its end, or to something else that is missing, that run counts. Where one brings it further
than another, or no tensor's call failed, the data are what is missing. Where none gets beyond it, the failure is the
script's own. No torch here.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import Any

from ... import ops
from ...trace import Event, Outcome, Seen, Site, TensorFact, Trace
from ..process.request import Guess, RunRequest
from .started import NAMED, as_started
from .uncut import FAILED

# what is seen in the numbers of data, and says nothing where they were made up
OF_VALUES = (
    *("mispaired", "off_scale", "equal", "retested", "scaled", "unscaled", "large", "targets", "codes", "turned"),
    "arrays",
)
COLOURS = 3
WEIGHTS = {"linear": -1, "mm": -2, "matmul": -2, "addmm": -2}  # the axis of the second operand that is contracted


def with_guesses(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[Trace, Guess]:
    """The trace that counts, and the guess that it was made with."""
    request, trace = as_started(request, trace, run_once)
    if trace.data.untrained and trace.outcome.state == "complete":
        lacking = {"module": trace.data.untrained, "line": trace.data.invented[1] if trace.data.invented else "?"}
        return dataclasses.replace(trace, outcome=Outcome("incomplete", "missing-module", lacking)), request.guess
    if trace.data.made is None and trace.data.invented is None:
        return trace, request.guess
    trace, guess = _guessed(request, trace, run_once)
    if trace.data.made is not None and empty(trace):
        file, line = trace.data.made
        told = Outcome("incomplete", "missing-data", {"file": file, "line": line}, trace.outcome.site)
        return dataclasses.replace(trace, outcome=told, failure=None), guess
    if trace.data.invented is None and not trace.data.loose:
        return trace, guess
    unseen: dict[str, Any] = {name: getattr(Seen(), name) for name in OF_VALUES}
    trace = dataclasses.replace(trace, data=dataclasses.replace(trace.data, **unseen))
    if _failed(trace) and trace.outcome.reason not in ("missing-data", "empty-data"):
        what, line = trace.data.invented or trace.data.made or ("", "?")
        reason, field = ("missing-module", "module") if trace.data.invented else ("missing-data", "file")
        told = Outcome("incomplete", reason, {field: what, "line": line}, trace.outcome.site)
        trace = dataclasses.replace(trace, outcome=told, failure=None)
    return trace, guess


def _guessed(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[Trace, Guess]:
    if not _failed(trace):
        return trace, request.guess
    further, spent = False, 0.0
    for guess in _others(request.guess, trace):
        again = run_once(dataclasses.replace(request, guess=guess))
        beyond = len(again.events) > len(trace.events) or not _places(again) <= _places(trace)
        if again.outcome.state == "complete" or (beyond and again.outcome.reason in NAMED):
            return dataclasses.replace(again, seconds=again.seconds + trace.seconds), guess
        further, spent = further or beyond, spent + again.seconds
        if spent > request.timeout / 2:
            break
    known = not further and (trace.failure is None or trace.failure.event is not None) and not _colours_apart(trace)
    if trace.data.made is None or known:
        return trace, request.guess
    file, line = trace.data.made
    told = Outcome("incomplete", "missing-data", {"file": file, "line": line}, trace.outcome.site)
    return dataclasses.replace(trace, outcome=told, failure=None), request.guess


def _colours_apart(trace: Trace) -> bool:
    """Whether a loss refused a target that has three numbers for each of the prediction, or the other way round: a
    picture that was made up has as many colours as was guessed."""
    event = trace.failure.event if trace.failure is not None else None
    if event is None or not ops.is_a(event.op, "losses") or len(event.given) < 2:
        return False
    counts = sorted(math.prod(fact.sizes) for fact in event.given[:2])
    return counts[1] == COLOURS * counts[0]


def _places(trace: Trace) -> set[tuple[str, Site | None]]:
    """Which operators ran where."""
    return {(event.op, event.stack[-1] if event.stack else None) for event in trace.events}


def _failed(trace: Trace) -> bool:
    return trace.failure is not None or (trace.outcome.state == "incomplete" and trace.outcome.reason in FAILED)


def _others(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Other guesses, the likeliest first."""
    failed = trace.failure.event if trace.failure is not None else None
    expected, given = widths(failed) if failed is not None else (0, 0)
    if expected != given:
        wide = guess.width + expected - given
        guess = dataclasses.replace(guess, width=wide if wide > 0 else expected)
        yield guess
    if channels_wanted(failed) == 1 and guess.channels != 1:
        guess = dataclasses.replace(guess, channels=1)
        yield guess
    yield dataclasses.replace(guess, first=1 - guess.first)
    yield dataclasses.replace(guess, rich=not guess.rich)
    yield dataclasses.replace(guess, floats=not guess.floats)
    yield dataclasses.replace(guess, texts=not guess.texts)
    yield dataclasses.replace(guess, masks=not guess.masks)


def empty(trace: Trace) -> bool:
    """Whether the call that failed was given a tensor of nothing: what was made up had nothing that the script kept.

    >>> empty(Trace("train.py", Outcome("complete")))
    False
    """
    event = trace.failure.event if trace.failure is not None else None
    given = (*event.args, *event.kwargs.values()) if event is not None else ()
    return any(isinstance(value, TensorFact) and value.shape is not None and 0 in value.shape for value in given)


def widths(event: Event) -> tuple[int, int]:
    """How many features a product expects of its first operand and is given; 0 and 0 where no product failed."""
    facts = [value for value in event.args if isinstance(value, TensorFact)]
    if event.op not in WEIGHTS or len(facts) < 2 or len(facts[0].shape) < 1 or len(facts[1].shape) < 2:
        return 0, 0
    first, second = facts[-2:] if event.op == "addmm" else facts[:2]
    return second.shape[WEIGHTS[event.op]], first.shape[-1]


def channels_wanted(event: Event | None) -> int:
    """How many channels a failed convolution over pictures expects, 0 where none failed."""
    if event is None or event.op != "conv2d" or len(event.args) < 2:
        return 0
    weight = event.args[1]
    return weight.shape[1] if isinstance(weight, TensorFact) and len(weight.shape) == 4 else 0
