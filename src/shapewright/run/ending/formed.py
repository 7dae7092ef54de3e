"""Other forms of the texts and documents that were made up for a run: those of the last that were read come first, for
whatever the same line reads, then for one file alone. No torch here."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...trace import Failure, Outcome, Site, TensorFact, Trace
from ..process.request import DOCUMENTS, Guess

USED = "parts"
FORMS = (USED, "tagged", "vectors", "numbers")  # of the lines of a text
OF_DOCUMENTS = {".json": DOCUMENTS, ".yml": DOCUMENTS[-1:], ".yaml": DOCUMENTS[-1:]}
ASKED_OF = "["  # with which a form begins that the script's own code asked for (`stand_ins/files/asked`)
LAST = 3  # places that read texts, which may have led to a failure
TOLD = (  # by Python's words
    (re.compile(r"^\d+$"), ("pairs", "number lists")),  # a key that no record has
    (re.compile(r"indices must be integers"), ("mapping", "numbered", "settings")),
    (re.compile(r"PathLike|attribute '(?:read|seek)'"), ("paths",)),
    (re.compile(r"invalid data type '(?:str|dict)'|must be real number"), ("number lists",)),
    (re.compile(r"attribute '(?:split|lower|strip|replace)'|expected string"), ("sentences",)),
)


def forms(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Guesses of other forms: those that the failure speaks of, else all."""
    read = [pair for pair in reversed(trace.data.read) if pair[1]]  # what was pickled has what is asked of it alone
    places = dict.fromkeys(place for _, place in read)
    message = trace.failure.message if trace.failure is not None else ""
    if message.startswith("[Errno"):  # of the system, which asks no text for its form
        return
    told = next((found for words, found in TOLD if words.search(message)), ())
    if told and len(places) > 1:  # of several of one kind
        kept = tuple(pair for pair in guess.forms if pair[0] not in places)
        for form in told:
            yield dataclasses.replace(guess, forms=(*kept, *((key, form) for key in [*places][:LAST])))
    for keys in ([*places][:LAST], [name for name, _ in read][:LAST]):
        for key in keys:
            name = next(name for name, place in read if key in (name, place))
            kept = tuple(pair for pair in guess.forms if pair[0] != key)
            known = OF_DOCUMENTS.get(os.path.splitext(name)[1].lower(), FORMS)
            if known is FORMS and dict(guess.forms).get(key, "").startswith(ASKED_OF):  # the script itself told it
                continue
            for form in [form for form in known if form in told] or known:
                yield dataclasses.replace(guess, forms=(*kept, (key, form)))


def of_words(trace: Trace) -> bool:
    """Whether a call failed that was to make a tensor of words: what was made up may have given them."""
    event = trace.failure.event if trace.failure is not None else None
    given = [part for value in event.args for part in _flat(value)] if event is not None else []
    return any(isinstance(part, str) for part in given) and not any(isinstance(part, TensorFact) for part in given)


def _flat(value: Any) -> Iterator[Any]:
    value = getattr(value, "value", value)
    for part in value if isinstance(value, (list, tuple)) else ():
        yield from _flat(part)
    if not isinstance(value, (list, tuple)):
        yield value


def wants_settings(trace: Trace) -> bool:
    """Whether a run ended for want of a file of settings, of which one form may be made up."""
    file = trace.outcome.fields.get("file") if trace.outcome.reason == "missing-data" else None
    asked = {name for name, _ in trace.data.read}
    return file in asked and os.path.splitext(str(file))[1].lower() in OF_DOCUMENTS


def lacks(trace: Trace) -> bool:
    """Whether a run ended for want of a file of which it is not known what it holds."""
    file = str(trace.outcome.fields.get("file", "")) if trace.outcome.reason == "missing-data" else ""
    return bool(os.path.splitext(file)[1]) and not wants_settings(trace) and file not in trace.data.sized


def without_file(trace: Trace) -> Trace:
    """A run that ends for want of the file whose data were made up."""
    fields = dict(zip(("file", "line"), trace.data.made or ()))
    told = Outcome("incomplete", "missing-data", fields, trace.outcome.site)
    return dataclasses.replace(trace, outcome=told, failure=None)


def further(again: Trace, trace: Trace, ends: Sequence[Trace] = ()) -> bool:
    """Whether a run came to operators at places that the one before did not come to, failed at a later line, or failed
    elsewhere after it read texts that the one before did not come to; not where one of the `ends` came to before."""
    one, other = again.failure, trace.failure
    if one is not None and any(_ended(again) == _ended(end) for end in ends) and places(again) <= places(trace):
        return False
    moved = one is None or other is None or one.site != other.site
    read = moved and not set(again.data.read) <= set(trace.data.read)
    return read or not places(again) <= places(trace) or _later(one, other)


def same(one: Trace, other: Trace) -> bool:
    """Whether two runs failed at the same place in the same way."""
    return _ended(one) == _ended(other)


def _ended(trace: Trace) -> tuple[Site | None, str]:
    """Where a run failed, and how."""
    return (trace.failure.site, trace.failure.kind) if trace.failure is not None else (None, "")


def places(trace: Trace) -> set[tuple[str, Site | None]]:
    """Which operators ran where."""
    return {(event.op, event.stack[-1] if event.stack else None) for event in trace.events}


def _later(one: Failure | None, other: Failure | None) -> bool:
    """Whether a script failed at a later line than before, where it computed no tensors."""
    if one is None or other is None or other.event is not None:
        return False
    pair = next(((a, b) for a, b in zip(one.stack, other.stack) if a.line != b.line), None)
    return pair is not None and pair[0].file == pair[1].file and pair[0].line > pair[1].line


def used(guess: Guess) -> bool:
    """Whether the script itself told the last form."""
    return bool(guess.forms) and guess.forms[-1][1] == USED


def masked(guess: Guess, trace: Trace) -> Iterator[Guess]:
    """Pictures that are masks, where there are any or in place of those that are: first those of every second folder
    where pictures lie in several."""
    if trace.data.pictured > 1 and not guess.turns:
        yield dataclasses.replace(guess, masks=True, turns=True)
    yield dataclasses.replace(guess, masks=not guess.masks, turns=False)
