"""A run that ended where a data set of the script's own needs what is not here is run again without its samples, until
the shapes of all parts are known that its operators tell. The run counts where it comes to its end. No torch here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from ...trace import Event, Trace
from ..engines.auto import GIVE_UP
from ..process.request import Guess, RunRequest
from .older import of_an_age
from .sized import MORE
from .started import trains

LACKING = frozenset({"missing-module", "missing-data", "empty-data"})
MOST = 8


def without_samples(
    request: RunRequest,
    trace: Trace,
    guess: Guess,
    run_once: Callable[[RunRequest], Trace],
    mismatch: Callable[[Trace], tuple[int, int]],
    sides: Callable[[Event, int], list[int]],
    others: Callable[[Guess, Trace], Iterator[Guess]],
) -> tuple[Trace, Guess]:
    """The trace that counts, and the guess that it was made with; `mismatch` tells which size a failed operator expects
    and which it was given, `sides` with which sides of pictures it would go, `others` which other guesses may mend what
    is left."""
    last, spent = trace, trace.seconds
    other, tried = guess, {guess}
    singles: list[Guess] = []
    for _ in range(MOST):
        named = (
            {*other.unread, *last.data.unread.split(",")} - {""}
            if last.outcome.state != "complete"
            else {*other.unread}
        )
        learnt = {key: (key, *form) for key, form in last.data.learnt}
        known = {key: (key, *form) for key, *form in other.samples} | learnt
        expected, given = mismatch(last)
        if not learnt and expected != given:
            for key, (_, shape, high) in known.items():
                known[key] = (key, _fitting(shape, expected, given), high)
        again = dataclasses.replace(other, unread=tuple(sorted(named)), samples=tuple(known.values()))
        if again == other and (side := _side(last, other, sides)):
            again = dataclasses.replace(other, side=side, samples=())
        if again == other and last.failure is not None and of_an_age(last, last.failure):
            again = dataclasses.replace(other, beyond=True)
        if again == other and last.outcome.state != "complete" and (singles or last.outcome.state == "stopped"):
            singles = singles or list(_single(other))
            again = next((one for one in singles if one not in tried), other)
        if again == other and last.failure is not None and last.failure.event is not None:
            again = next((one for one in others(other, last) if one not in tried), other)
        if again == other and last.outcome.state == "complete" and _untaught(last) and other.many < MORE:
            again = dataclasses.replace(other, many=MORE)  # than one batch takes
        if again == other or not named:
            break
        tried.add(again)
        other, last = again, run_once(dataclasses.replace(request, guess=again))
        spent += last.seconds
    if _untaught(last) and last.outcome.state == "complete":  # what was to train is among what could not read
        return trace, guess
    done = last.outcome.state == "complete" or last.outcome.reason in GIVE_UP  # which is made small and run again
    if done and len(last.events) > len(trace.events) and not last.data.learnt:
        return dataclasses.replace(last, seconds=spent), other
    return trace, guess


def _untaught(trace: Trace) -> bool:
    """Whether nothing was trained by a script that trains."""
    return any(map(trains, trace.data.files)) and not any(step.kind == "backward" for step in trace.steps)


def _fitting(shape: tuple[int, ...], expected: int, given: int) -> tuple[int, ...]:
    """A shape with the size that an operator expects, or, where a view folds several steps into one, a part of it.

    >>> _fitting((12, 384), 80, 384), _fitting((12, 384), 80, 768), _fitting((12, 384), 81, 768)
    ((12, 80), (12, 40), (12, 384))
    """
    if given in shape or not shape or given % shape[-1] or expected * shape[-1] % given:
        return tuple(expected if size == given else size for size in shape)
    return (*shape[:-1], expected * shape[-1] // given)


def _single(guess: Guess) -> Iterator[Guess]:
    """Guesses of one index a sample in place of several, in one part of the samples, then in all."""
    several = [key for key, shape, high in guess.samples if high and len(shape) == 1]
    for keys in (*([key] for key in several), *([several] if len(several) > 1 else [])):
        samples = ((key, () if key in keys else shape, high) for key, shape, high in guess.samples)
        yield dataclasses.replace(guess, samples=tuple(samples))


def _side(trace: Trace, guess: Guess, sides: Callable[[Event, int], list[int]]) -> int:
    """Another side of pictures with which the failed call would go; 0 where no samples were pictures."""
    event = trace.failure.event if trace.failure is not None else None
    pictured = any(shape[-2:] == (guess.side, guess.side) for _, shape, _ in guess.samples)
    return next(iter(sides(event, guess.side)), 0) if event is not None and pictured else 0
