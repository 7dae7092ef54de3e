"""A script of another age: a run that ended at a call which torch once made is made again with such calls as they were
then (`record/once`), so that the rest of the script is checked. So is a notebook whose author saved the error of the
cell in which the run ended. No torch here."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable

from ... import ops
from ...trace import Event, Failure, TensorFact, Trace
from ...trace.event import tensors
from ...trace.said import Refusal
from ..process.request import RunRequest
from ..script.notebook import failing
from ..script.reading import Script, read

KINDS = frozenset(  # that the run went on beyond
    {"once-alone", "once-truth", "once-quotient", "once-channels", "cell-failed", "old-interface"}
)
UNEVEN = re.compile(r"setting an array element with a sequence.*inhomogeneous")  # rows, in NumPy's words, since 1.24
AGED = re.compile(r"^\s*from (?:__future__|torch\.autograd import .*\bVariable\b)", re.MULTILINE)
MOST = 8  # calls that a number has come through


def older(
    request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]
) -> tuple[RunRequest, Trace] | None:
    """The request that goes on beyond the call that ended `trace`, and its trace; `None` where torch never made that
    call, or nothing is gained."""
    if request.brief or request.guess.beyond or trace.failure is None:
        return None
    second = of_python_2(trace) and not request.guess.second
    if not (second or of_an_age(trace, trace.failure) or _shown(request, trace.failure)):
        return None
    changed: dict[str, bool] = {"second": True} if second else {"beyond": True}
    request = dataclasses.replace(request, guess=dataclasses.replace(request.guess, **changed))
    again = run_once(request)
    beyond = second or any(one.kind in KINDS for one in again.assumptions)
    return (request, again) if beyond and len(again.events) >= len(trace.events) else None


def of_python_2(trace: Trace) -> bool:
    """Whether a call was given a quotient of two integers, an integer in Python 2, by a script of that age: it has
    other interfaces of then."""
    if trace.failure is None or Refusal.FRACTION not in trace.failure.said:
        return False
    told = any(one.kind == "old-interface" for one in trace.assumptions)
    return told or any(map(AGED.search, trace.sources.values()))


def _shown(request: RunRequest, failure: Failure) -> bool:
    """Whether a cell of a notebook failed whose saved output is an error."""
    book = read(os.path.join(request.cwd, request.script)) if request.script.endswith(".ipynb") else None
    lines = failing(book.cells) if isinstance(book, Script) else []
    return bool(failure.stack) and any(failure.stack[0].line in span for span in lines)


def of_an_age(trace: Trace, failure: Failure) -> bool:
    """Whether a call may have failed for what has changed since: a single number that no `squeeze` left without axes,
    truths that are computed with, quotients of integers that index, means of more channels than a picture has, rows of
    different lengths that make an array."""
    event = failure.event
    if event is None and UNEVEN.match(failure.message):
        return True
    if event is None:
        given = [value for value in failure.values.values() if isinstance(value, TensorFact)]
        return failure.kind in ("IndexError", "TypeError") and any(_is_alone(trace, fact) for fact in given)
    if of_one_number(trace):
        return True
    if event.op.endswith("_") and [fact.rank for fact in event.given] == [3, 3]:
        return event.given[1].sizes[1:] == (1, 1)
    kinds = {fact.dtype for fact in event.given}
    chooses = ops.is_a(event.op, "masks", "brackets")  # truths are what these expect
    if ("bool" in kinds and not chooses) or ("uint8" in kinds and chooses):
        return True
    indices = [*tensors(event.args[1:]), *tensors(event.kwargs)] if ops.is_a(event.op, "indexes") else []
    return any(fact.dtype.startswith("float") for fact in indices)


def of_one_number(trace: Trace) -> bool:
    """Whether a call failed that was given a single number."""
    event = trace.failure.event if trace.failure is not None else None
    return event is not None and any(_is_alone(trace, fact) for fact in event.given)


def _is_alone(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is a single number that was not left so by removing axes of size 1."""
    if fact.shape != ():
        return False
    made: Event | None = None
    for _ in range(MOST):
        made = trace.events[fact.producer] if 0 <= fact.producer < len(trace.events) else None
        if made is None or not made.given or made.given[0].shape != ():
            break
        fact = made.given[0]
    return made is None or not ops.is_a(made.op, "squeezes")
