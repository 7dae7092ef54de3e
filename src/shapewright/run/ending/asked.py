"""A run that failed where it reads a text that was made up is made again to see what the script asks of the text
(`stand_ins/files/observed`), and once more with a text of that form. No torch here."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable

from ...trace import Trace
from ..process.request import Guess, RunRequest
from .formed import further, wants_settings
from .passing import NOTHING
from .started import NAMED

ROUNDS = 4  # of seeing what is asked of yet another text
NEEDED = 12  # names that are looked up
MARKED = re.compile(r"['\"]([\[<][^\s'\"<>\[\]]{1,12}[\]>])['\"]")  # `[CLS]`, `<pad>`


def as_asked(
    request: RunRequest, trace: Trace, guess: Guess, run_once: Callable[[RunRequest], Trace]
) -> tuple[Trace, Guess, float]:
    """The trace that came furthest with texts of the form that the script asks for, the guess that it was made with,
    and the seconds that all took."""
    spent, best, last = 0.0, (trace, guess), trace
    for _ in range(0 if request.brief else ROUNDS):
        reads = bool(last.data.read) and (last.failure is not None or wants_settings(last) or _wants_pickled(last))
        called = last.failure is not None and last.failure.event is not None and not _unnumbered(last)
        if spent > request.timeout / 2 or not reads or called:
            break
        other = guess
        if not _unnumbered(last):  # its texts have the form that is asked for
            seen = run_once(dataclasses.replace(request, guess=dataclasses.replace(guess, observes=True), first=True))
            spent += cost(seen)
            other = _formed(guess, seen)
        if needed := _looked_up(last):
            other = dataclasses.replace(other, needed=tuple(dict.fromkeys([*guess.needed, *needed]))[:NEEDED])
        if other == guess:
            break
        again = run_once(dataclasses.replace(request, guess=other))
        spent += cost(again)
        guess, last = other, again
        if again.outcome.state == "complete" or further(again, best[0]):
            best = again, other
        if again.outcome.state == "complete" or again.outcome.reason in NAMED:
            break
    return *best, spent


def _wants_pickled(trace: Trace) -> bool:
    """Whether a run ended for want of what a pickled file held, of which it is made up what is asked of it."""
    file = trace.outcome.fields.get("file") if trace.outcome.reason == "missing-data" else None
    return file is not None and (file, "") in trace.data.read


def cost(trace: Trace) -> float:
    """The seconds that a run took of its own."""
    return min(trace.work or trace.seconds, trace.seconds)  # what others use of the machine counts not


def _formed(guess: Guess, seen: Trace) -> Guess:
    """The guess with the forms that the script asked for: of each file, and of whatever else the same lines read."""
    places = dict(seen.data.read)
    told = dict(seen.data.asked)
    told |= {places[name]: form for name, form in seen.data.asked if places.get(name)}
    kept = {key: form for key, form in guess.forms if key not in told}
    return dataclasses.replace(guess, forms=tuple((kept | told).items()))


def _looked_up(trace: Trace) -> list[str]:
    """The name that a table of the script's own lacked, where that ended a run; all that are marked, where it had no
    number for some."""
    if _unnumbered(trace):
        return list(dict.fromkeys(one for text in trace.sources.values() for one in MARKED.findall(text)))
    if trace.failure is None or trace.failure.kind != "KeyError":
        return []
    try:
        name = ast.literal_eval(trace.failure.message)
    except (SyntaxError, ValueError):
        return []
    if not isinstance(name, str) or name.split() != [name]:
        return []
    marked = MARKED if MARKED.fullmatch(f"'{name}'") else None  # with it others of its kind are looked up
    alike = (one for text in trace.sources.values() for one in (marked.findall(text) if marked else ()))
    return list(dict.fromkeys([name, *alike]))


def _unnumbered(trace: Trace) -> bool:
    """Whether a tensor was to be made of numbers of which some are none: a table did not know its own marks."""
    failure = trace.failure
    made = failure is not None and failure.event is not None and not failure.event.given
    return failure is not None and made and NOTHING.strip("'") in failure.message
