"""A run that failed after data were made up for it is run again with other guesses about them: what only a guess caused
is no fault of the script.

Where one guess brings it to its end, or to something else that is missing, that run counts. Where one brings it further
than another, or no tensor's call failed, the data are what is missing. Where none gets beyond it, the failure is the
script's own. No torch here.
"""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from ... import ops
from ...trace import Event, Outcome, Seen, TensorFact, Trace
from ...trace.event import tensors
from ..engines.auto import GIVE_UP
from ..engines.smaller import FIRST
from ..process.request import Guess, RunRequest
from ..script.smaller import numbers
from .asked import as_asked, cost
from .evidence import failed, for_want_of
from .filled import filled, spaced
from .fitting import CONVOLVED, WEIGHTS, axes_wanted, channels_wanted, mismatch, sides
from .formed import forms, further, lacks, masked, of_words, same, used, wants_settings, without_file
from .older import of_an_age, of_one_number
from .passing import of_cuts
from .sized import (
    COLOURS,
    MORE,
    NO_INDEX,
    ROWS,
    by_file,
    deeper,
    indexed,
    longer,
    shaped,
    unranked,
    whole,
    wide,
    widened,
)
from .started import NAMED, as_started, trains
from .staying import PARTS, stays, unwritten
from .uncut import confirmed
from .unread import LACKING, without_samples

# what is seen in the numbers of data, and says nothing where they were made up
OF_VALUES = (
    *("mispaired", "off_scale", "equal", "idle", "retested", "unscaled", "large", "targets", "codes", "turned"),
    "arrays",
)
MOST_TRIED = 32
MOST_FILES = 500  # that are made up for one folder
MOST = 10_000  # rows, where those that were made up were too few
RANGED = re.compile(r"range\((?:\d+, *)?(\d{3,4})\)")
KEEPING = frozenset({".png", ".gif", ".tif", ".tiff", ".bmp"})  # forms of pictures that labels are kept in
UNTOLD = ((0, 0), (0, COLOURS), (0, 0, COLOURS))  # of rows of which a script reads more axes than they have
WRITTEN = frozenset({"literal", "constructor", "parameter"})  # origins of axes that no data have
OF_DATA = frozenset({"dataset", "loader"})


def with_guesses(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[Trace, Guess]:
    """The trace that counts, and the guess that it was made with."""
    request, trace = spaced(*filled(*as_started(request, trace, run_once), run_once), run_once)
    found, guess = _with_data(request, trace, run_once)
    refused = bool(guess.unread) and failed(found)  # by samples that an earlier run of another size learnt
    if (refused or (found.outcome.reason in LACKING and trace.data.unread)) and not request.brief:
        guess = dataclasses.replace(guess, samples=()) if refused else guess
        found, guess = without_samples(request, found, guess, run_once, mismatch, sides, _mattering)
    return (_of_no_value(found) if guess.unread or guess.low else found), guess


def _with_data(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[Trace, Guess]:
    if trace.data.untrained and (trace.outcome.state == "complete" or trace.outcome.reason == "nothing-computed"):
        lacking = {"module": trace.data.untrained, "line": trace.data.invented[1] if trace.data.invented else "?"}
        return dataclasses.replace(trace, outcome=Outcome("incomplete", "missing-module", lacking)), request.guess
    few = trace.data.few and failed(trace)
    if trace.data.made is None and trace.data.invented is None and not few and not wants_settings(trace):
        return trace, request.guess
    if of_cuts(trace) and (whole := confirmed(request, trace, run_once)).outcome.state == "complete":
        made_up = whole.data.invented is not None or whole.data.loose or whole.data.settings
        return (_of_no_value(whole) if made_up else whole), request.guess  # no data caused it
    trace, guess = _trained(request, *_guessed(request, trace, run_once), run_once)
    expected = any(one.kind == "file-expected" for one in trace.assumptions) and failed(trace) and not apart(trace)
    if trace.data.made is not None and (expected or empty(trace)):  # a check told that nothing goes without the file
        return without_file(trace), guess
    if trace.data.invented is None and not trace.data.loose and not trace.data.settings:
        return trace, guess
    trace = _of_no_value(trace)
    own = trace.data.invented is None and not trace.data.settings and apart(trace)
    if (
        failed(trace)
        and not (own or stays(request, trace, guess, run_once))
        and trace.outcome.reason not in ("missing-data", "empty-data")
    ):
        what, line = trace.data.invented or trace.data.made or ("", "?")
        return for_want_of(trace, what, line, library=bool(trace.data.invented)), guess
    return trace, guess


def _of_no_value(trace: Trace) -> Trace:
    """A trace whose data were made up: without what was seen in their numbers."""
    unseen: Any = {name: getattr(Seen(), name) for name in OF_VALUES}
    return dataclasses.replace(trace, data=dataclasses.replace(trace.data, **unseen))


def _guessed(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[Trace, Guess]:
    first = trace
    trace, guess, spent = as_asked(request, trace, request.guess, run_once)
    if asked := trace is not first:
        if trace.outcome.state == "complete" or trace.outcome.reason in (*NAMED, *GIVE_UP, FIRST):
            return dataclasses.replace(trace, seconds=spent + first.seconds), guess
        first, request = trace, dataclasses.replace(request, guess=guess)
    tried, moved, ends = {guess}, False, [first]
    while spent <= request.timeout / 2 and len(tried) <= MOST_TRIED:
        if not (failed(trace) or _asks(trace) or wants_settings(trace)):
            break
        if (of_one_number(trace) and not trace.data.loose) or lacks(trace) or unwritten(trace):
            break  # no other data would mend it
        other = next((one for one in _mattering(guess, trace) if one not in tried), None)
        if other is None:
            break
        tried.add(other)
        again = run_once(dataclasses.replace(request, guess=other))
        spent += cost(again)
        moved = moved or _moved(again, first) or (other.low and not same(again, first))
        longer = len(again.events) > len(trace.events) and other.many == guess.many
        beyond = longer or further(again, trace, ends)
        if beyond:
            again, other, more = as_asked(request, again, other, run_once)  # of what is read from here on
            spent += more
        if again.outcome.state == "complete" or (beyond and again.outcome.reason in (*NAMED, *GIVE_UP, FIRST)):
            return dataclasses.replace(again, seconds=spent + first.seconds), other
        if beyond:
            told = used(other) and trace is first and first.failure and first.failure.event is None
            told = told or dataclasses.replace(other, many=guess.many) == guess  # of more rows no more is guessed
            trace, guess, ends = again, other, [*ends, again]
            if told:  # by the script itself, what the parts of a line are
                first, request = trace, dataclasses.replace(request, guess=guess)
    failure = first.failure
    known = trace is first and (failure is None or failure.event is not None)
    known &= not moved and not _colours_apart(first) and not _looked_up(first) and not of_words(first)
    known &= not _off_range(first)
    known &= bool(first.events) or not asked or apart(first)  # not what is made of such data alone
    if first.data.made is None or known or unwritten(first):
        return first, request.guess
    return without_file(first), request.guess


def _trained(
    request: RunRequest, trace: Trace, guess: Guess, run_once: Callable[[RunRequest], Trace]
) -> tuple[Trace, Guess]:
    """A run and its guess; where it came to its end without training a script that trains, one of more rows that does:
    a window may be longer than the series that was made up."""
    if request.brief or trace.outcome.state != "complete" or guess.many >= MORE or _learns(trace):
        return trace, guess
    if trace.data.made is None or "many" not in trace.data.consulted or not any(map(trains, trace.data.files)):
        return trace, guess
    other = dataclasses.replace(guess, many=MORE)
    again = run_once(dataclasses.replace(request, guess=other))
    return (again, other) if again.outcome.state == "complete" and _learns(again) else (trace, guess)


def _learns(trace: Trace) -> bool:
    return trace.data.by_hand or any(step.kind == "backward" for step in trace.steps)


def _asks(trace: Trace) -> bool:
    """Whether a run ended where more was asked of a library's made-up data than they have."""
    invented = trace.data.invented
    lacking = trace.outcome.fields.get("module") if trace.outcome.reason == "missing-module" else None
    return invented is not None and lacking == invented[0]


def _colours_apart(trace: Trace) -> bool:
    """Whether a loss refused a target that has three numbers for each of the prediction, or the other way round: a
    picture that was made up has as many colors as was guessed."""
    event = trace.failure.event if trace.failure is not None else None
    if event is None or not ops.is_a(event.op, "losses") or len(event.given) < 2:
        return False
    counts = sorted(math.prod(fact.sizes) for fact in event.given[:2])
    return counts[1] == COLOURS * counts[0]


def _off_range(trace: Trace) -> bool:
    """Whether a loss refused a target for its values, which made-up data may have given."""
    event = trace.failure.event if trace.failure is not None else None
    if event is None or not ops.is_a(event.op, "takes_probabilities") or len(event.given) < 2:
        return False
    target = event.given[1]
    span = target.value if isinstance(target.value, tuple) else (0, 0)
    return not target.requires_grad and (span[0] < 0 or span[1] > 1)


def _looked_up(trace: Trace) -> bool:
    """Whether a tensor has no place of a number that the failing line does not write, or on an axis that data have:
    made-up data may have told it."""
    failure = trace.failure
    text = trace.sources.get(failure.site.file, "") if failure is not None and failure.site is not None else ""
    line = text.split("\n")[failure.site.line - 1] if text and failure is not None and failure.site is not None else ""
    beyond = _beyond(failure.event if failure is not None else None, trace.data.batch_sizes)
    return any(of_data or line not in numbers(text, place) for place, of_data in beyond)


def _beyond(event: Event | None, batches: tuple[int, ...]) -> list[tuple[int, bool]]:
    """The places that a tensor was asked for and does not have, each with whether data have that axis: it comes of
    them, or of nothing known and is as long as one of the `batches`."""
    if event is None or not ops.is_a(event.op, "brackets", "slots") or event.op == "select":
        return []
    asked = event.args[1] if len(event.args) > 1 else None
    places = [value for value in (asked if isinstance(asked, tuple) else (asked,)) if type(value) is int]
    shape, axes = getattr(event.args[0], "shape", None) or (), getattr(event.args[0], "axes", ())
    origins = [axis.origin for axis in axes] if len(axes) == len(shape) else [None] * len(shape)
    found = [
        (place, origin.kind in OF_DATA if origin is not None else size in batches)
        for place, size, origin in zip(places, shape, origins)
        if place >= size
    ]
    return found if len(places) <= len(shape) else []


def _mattering(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Those other guesses by which a run would have made up something else."""
    for other in _others(guess, trace):
        changed = {part.name for part in dataclasses.fields(Guess)}
        changed = {name for name in changed if getattr(other, name) != getattr(guess, name)}
        if "beyond" in changed or not changed.isdisjoint(trace.data.consulted):
            yield other


def _beyond_rows(trace: Trace) -> bool:
    """Whether a run failed for want of a row, a file or an entry that it counted on."""
    event = trace.failure.event if trace.failure is not None else None
    known = event is None or ops.is_a(event.op, "indexes", "slots")
    if trace.failure is not None and NO_INDEX.search(trace.failure.message):
        return False
    return known and trace.failure is not None and trace.failure.kind == "IndexError"


def _asked_for(trace: Trace) -> int:
    """How many rows a run that failed for want of one counted on: more than the failing line writes, or many."""
    site = trace.failure.site if trace.failure is not None else None
    lines = trace.sources.get(site.file, "").split("\n") if site is not None else []
    written = (
        re.findall(r"(?<![\w.])\d{3,4}(?![\w.])", lines[site.line - 1]) if site and site.line <= len(lines) else []
    )
    known = written or [one for text in trace.sources.values() for one in RANGED.findall(text)]
    return max(map(int, known), default=MORE) * 5 // 4


def _others(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Other guesses, the likeliest first."""
    failed, before = trace.failure.event if trace.failure is not None else None, guess
    own = trace.data.invented is None and apart(trace)
    if not own and trace.failure is not None and of_an_age(trace, trace.failure):
        guess = dataclasses.replace(guess, beyond=True)
        yield guess
    if _asks(trace) and not trace.data.loose:
        yield dataclasses.replace(guess, texts=not guess.texts)
        yield dataclasses.replace(guess, floats=not guess.floats)
        return
    if trace.data.keys:
        yield dataclasses.replace(guess, known=trace.data.keys)
    yield from longer(guess, trace, tuple(place for place, _ in _beyond(failed, trace.data.batch_sizes)))
    if _beyond_rows(trace) and not any(of_data for _, of_data in _beyond(failed, trace.data.batch_sizes)):
        yield dataclasses.replace(guess, many=_asked_for(trace))
        if failed is not None:  # of a vocabulary
            yield dataclasses.replace(guess, many=MOST)
        if trace.data.made is None and trace.data.invented is None:
            return
    if trace.failure is not None and trace.failure.kind == "IndexError":  # as of rows counted in another file
        yield dataclasses.replace(guess, low=True)
    if failed is None and trace.data.few and not guess.many:
        yield dataclasses.replace(guess, many=MORE)  # than one batch takes
    if failed is None and trace.failure is not None and (parts := PARTS.search(trace.failure.message)):
        yield dataclasses.replace(guess, fields=int(parts[1]))
    yield from shaped(guess, trace)
    yield from indexed(guess, trace)
    yield from whole(guess, trace)
    if failed is None:  # of a layer
        yield from widened(guess, trace)
    if trace.data.loose and failed is None:
        yield dataclasses.replace(guess, records=True)
    if trace.data.loose and (failed is None or failed.op not in (*CONVOLVED, *WEIGHTS)):
        yield from unranked(guess, trace)
    if failed is None and any(
        os.path.splitext(str(one.fields.get("file", "")))[1] in KEEPING for one in trace.assumptions
    ):
        yield from masked(guess, trace)
    if failed is None and trace.data.loose and not guess.axes:
        yield from (dataclasses.replace(guess, axes=axes) for axes in UNTOLD)
    if failed is None:  # of reading
        for levels in (1, 2) if trace.data.made is not None and not os.path.splitext(trace.data.made[0])[1] else ():
            yield dataclasses.replace(guess, nested=levels)
        if trace.data.made is not None:
            yield dataclasses.replace(guess, worded=not guess.worded)
    if failed is None or not any(isinstance(value, TensorFact) for value in failed.args):
        yield from forms(guess, trace)
    if (
        failed is not None
        and {"float32", "float64"} <= {getattr(fact, "dtype", "") for fact in failed.args}
        and not guess.single
    ):
        yield dataclasses.replace(guess, single=True)
    for place, of_data in _beyond(failed, trace.data.batch_sizes):
        if of_data and guess.many <= place < MOST_FILES:
            guess = dataclasses.replace(guess, many=place + 1)
            yield guess
    if failed is not None and (fitted := _fitted(failed, guess)) != guess:
        yield from by_file(guess, fitted, trace)
        guess = fitted
    yield from widened(guess, trace)
    guess = dataclasses.replace(guess, width=wide(guess, trace))
    if trace.data.loose and (axes := axes_wanted(failed, len(guess.axes) or 1)):
        yield dataclasses.replace(guess, axes=axes)
    if trace.data.loose and trace.failure is not None and (failed is not None or trace.failure.module >= 0):
        yield from deeper(before, trace)
    if channels_wanted(failed) == 1 and guess.channels != 1:
        guess = dataclasses.replace(guess, channels=1)
        yield guess
    for side in sides(failed, guess.side) if failed is not None else ():
        yield dataclasses.replace(guess, side=side)
    if failed is not None and ops.is_a(failed.op, "losses"):  # it may expect shares, of which bits are some
        yield from masked(guess, trace)
    yield dataclasses.replace(guess, first=1 - guess.first)
    yield dataclasses.replace(guess, rich=not guess.rich)
    yield dataclasses.replace(guess, floats=not guess.floats)
    yield dataclasses.replace(guess, texts=not guess.texts)
    yield from masked(guess, trace)
    yield dataclasses.replace(guess, low=True)
    if not guess.many and trace.data.made is not None:  # a series may be longer than a window
        yield dataclasses.replace(guess, many=MORE)


def _moved(again: Trace, first: Trace) -> bool:
    """Whether two runs with other data failed at one place for want of room, where data have other sizes each time:
    the failure is theirs."""
    events = [run.failure.event if run.failure is not None else None for run in (again, first)]
    if again.failure is None or first.failure is None or again.failure.site != first.failure.site:
        return False
    placed = all(event is not None and ops.is_a(event.op, "writes", "reshapes", "joins", "expands") for event in events)
    shapes = [[fact.shape for fact in tensors(event.args)] for event in events if event]
    return placed and shapes[0] != shapes[-1]


def empty(trace: Trace) -> bool:
    """Whether the call that failed was given a tensor of nothing: what was made up had nothing that the script kept.

    >>> empty(Trace("train.py", Outcome("complete")))
    False
    """
    event = trace.failure.event if trace.failure is not None else None
    given = (*event.args, *event.kwargs.values()) if event is not None else ()
    return any(isinstance(value, TensorFact) and value.shape is not None and 0 in value.shape for value in given)


def apart(trace: Trace) -> bool:
    """Whether the sizes of all that the failing call was given are written in the script or are those of layers: they
    do not come of data.

    >>> apart(Trace("train.py", Outcome("complete")))
    False
    """
    event = trace.failure.event if trace.failure is not None else None
    given = (*event.args, *event.kwargs.values()) if event is not None else ()
    facts = [value for value in given if isinstance(value, TensorFact) and value.shape is not None]
    known = all(len(fact.axes) == len(fact.shape) or {*fact.sizes} == {1} for fact in facts)
    axes = [axis for fact in facts for axis in fact.axes]
    return (
        bool(facts) and known and all(axis.origin.kind in WRITTEN if axis.origin else axis.size == 1 for axis in axes)
    )


def _fitted(event: Event, guess: Guess) -> Guess:
    """A guess of rows as many and as wide as another operand of a failed call is, whose axes do not agree with them."""
    facts = [value for value in event.args if isinstance(value, TensorFact) and value.shape is not None]
    if len(facts) < 2 or event.op in WEIGHTS or event.op in CONVOLVED:
        return guess
    rows = guess.many or ROWS
    for one, other in (facts[:2], facts[1::-1]):
        for size, wanted in zip(reversed(one.sizes), reversed(other.sizes)):
            if size != wanted and wanted > 1 and size == guess.width:
                guess = dataclasses.replace(guess, width=wanted)
            elif size != wanted and wanted > 1 and size == rows:
                guess = dataclasses.replace(guess, many=wanted)
    return guess
