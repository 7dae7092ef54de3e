"""What is not on this machine and may be of several forms: the files of a folder, the spaces of an environment. One
form after another is tried. No torch here."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable

from ...trace import Trace
from ..engines.auto import OUTGROWN
from ..process.request import RunRequest
from .formed import places

FILES = 4  # that are tried for a folder
SPACES = 3  # that are tried of what an environment shows: a row of numbers, pictures with their colors last or first


def filled(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[RunRequest, Trace]:
    """The request and its trace; where a script found nothing in a folder, those of a run that finds files there."""
    reason, file = trace.outcome.reason, str(trace.outcome.fields.get("file", ""))
    folder = reason == "empty-data" or (reason == "missing-data" and not os.path.splitext(file)[1])
    if request.brief or request.guess.filled or not folder:
        return request, trace
    for at in range(1, 1 + FILES):
        other = dataclasses.replace(request, guess=dataclasses.replace(request.guess, filled=at))
        again = run_once(other)
        if again.outcome.state == "complete" or not places(again) <= places(trace):
            return other, again
        if again.data.made is None:
            break
    return request, trace


def spaced(request: RunRequest, trace: Trace, run_once: Callable[[RunRequest], Trace]) -> tuple[RunRequest, Trace]:
    """The request and its trace; where the spaces of an environment are unknown, those of one with which the script
    comes to its end."""
    if request.brief or request.guess.spaces or trace.outcome.reason != "missing-environment":
        return request, trace
    for at in range(1, 1 + SPACES):
        other = dataclasses.replace(request, guess=dataclasses.replace(request.guess, spaces=at))
        again = run_once(other)
        if again.outcome.state == "complete" or again.outcome.reason == OUTGROWN:
            return other, again
    return request, trace
