"""Other numbers of axes that data may have which were made up for a run: what was found in it follows from the script
where each other number either ends the run or leads to the same. No torch here."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from ...trace import Trace
from ...trace.event import tensors
from ..process.request import RunRequest
from .asked import cost
from .uncut import FAILED

WAYS = ("last", "behind", "longer", "fewer")  # `stand_ins/tried`
APART, MOST = 2, 6  # arrays of names alike that are tried one by one, and arrays that are tried
SHARE = 4  # of the time that a run may take, where it is to be made several times


def settled(
    request: RunRequest, trace: Trace, stays: Callable[[Trace], bool], run_once: Callable[[RunRequest], Trace]
) -> bool:
    """Whether what was found in a run with made-up data stays with each other number of axes with which the script
    comes to its end: of each array, then of those together that met others where they ended a run; `stays` tells
    whether anything of it is left in another run."""
    spent, meeting, arrays = 0.0, [], _arrays(trace)
    if not 0 < len(arrays) <= MOST or cost(trace) > request.timeout / SHARE:
        return False

    def ended(*axes: tuple[str, str]) -> Trace | None:
        """The run that others ended, `None` where what was found does not stay."""
        nonlocal spent
        again = run_once(dataclasses.replace(request, axes=axes))
        spent += cost(again)
        if spent > request.timeout:
            return None
        refused = again.failure is not None or again.outcome.reason in FAILED
        refused &= again.failure is None or not again.failure.ours
        return again if refused or (again.outcome.state == "complete" and stays(again)) else None

    for name, axes in arrays.items():
        ends: list[Trace] = []
        for way in _ways(axes):
            if way == "longer" and len(ends) == 2 and _told(ends[0]) and _told(ends[0]) == _told(ends[1]):
                continue  # whichever size the other axis has
            if (end := ended((name, way))) is None:
                return False
            ends.append(end)
        if not all(map(_alone, ends)):
            meeting.append(name)
    together = WAYS if len(meeting) > 1 else ()
    if any(ended(*((name, way) for name in meeting)) is None for way in together):
        return False
    again = run_once(request)  # which ended others may have ended this one too
    return again.outcome.state == "complete" and stays(again)


def _arrays(trace: Trace) -> dict[str, int]:
    """What is tried, and how many axes it has: arrays whose names are alike together, where there are many."""
    found: dict[str, int] = {}
    for like, known in trace.data.untold:
        found |= known if len(known) <= APART else ((like, max(axes for _, axes in known)),)
    return found


def _ways(axes: int) -> Iterator[str]:
    """Ways of having another number of axes than so many, without those that come to the same.

    >>> [*_ways(1)], [*_ways(2)]
    (['last', 'longer'], ['last', 'behind', 'longer', 'fewer'])
    """
    return (way for way in WAYS if axes > 1 or way not in ("behind", "fewer"))


def _told(trace: Trace) -> tuple[object, ...]:
    """Where and how a run failed; empty where it did not."""
    failure = trace.failure
    return (failure.site, failure.kind, failure.message) if failure is not None else ()


def _alone(trace: Trace) -> bool:
    """Whether a run failed at a call that was given one tensor beside those that layers hold: no other array could
    mend it."""
    event = trace.failure.event if trace.failure is not None else None
    return event is not None and sum(not fact.is_held for fact in tensors((event.args, event.kwargs))) == 1
