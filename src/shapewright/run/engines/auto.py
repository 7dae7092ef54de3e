"""`auto`: a live run that is given up when the script outgrows it, and then a dry one. Runs in the asking process: no
torch here."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable

from ...trace import Assumption, Outcome, Trace
from ..process.request import RunRequest, Small
from ..process.strain import strain
from .smaller import (
    at_once,
    first_look,
    has_called,
    has_trained,
    is_heavy,
    made_small,
    of_fewer_samples,
    shortened,
    too_late,
)

OUTGROWN = "outgrown"
GIVE_UP = (OUTGROWN, "timeout", "timeout-unplaced", "memory", "memory-unplaced")
FACTORIES = frozenset({"zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange", "eye", "linspace"})
LEAST_SECONDS = 5.0


def settle(request: RunRequest, run: Callable[[RunRequest], Trace]) -> Trace:
    """Run `request`; under `auto`, run it again dry when the live run outgrew its budget, was stopped by the clock or
    by memory.

    The dry run is given what is left of `request.timeout`, and at least `LEAST_SECONDS`. Its trace says that it is dry,
    and why.

    >>> from shapewright.trace import Outcome
    >>> outgrown = Outcome("incomplete", "outgrown", {"why": "parameters"})
    >>> answers = iter([Trace("a.py", outgrown), *[Trace("a.py", Outcome("complete"), "dry")] * 2])
    >>> trace = settle(RunRequest("a.py"), lambda request: next(answers))
    >>> trace.engine, trace.assumptions[0].kind
    ('dry', 'engine-dry')
    """
    began = time.monotonic()
    known: list[tuple[RunRequest, Trace]] = []

    def run_once(asked: RunRequest) -> Trace:
        trace = next((trace for before, trace in known if before == asked), None)
        if trace is None:
            trace = run(asked)
            known.append((asked, trace))
        return trace if asked.small is None else _of_small(trace, asked.small)

    trace = run_once(request)
    if (
        request.engine != "auto"
        or trace.engine == "dry"
        or trace.outcome.state != "incomplete"
        or trace.outcome.reason not in GIVE_UP
    ):
        return trace
    if trace.outcome.fields.get("why") == "seconds":
        request, trace = shortened(request, run_once, trace)
        if trace.engine == "dry" or trace.outcome.reason not in GIVE_UP:
            return trace
        if too_late(trace, request.timeout) and trace.outcome.site is not None:
            return dataclasses.replace(trace, outcome=_late(trace, request.timeout))
    if trace.outcome.fields.get("why") != "size":
        request, trace = of_fewer_samples(request, run_once, trace)
        if trace.engine == "dry" or trace.outcome.reason not in GIVE_UP:
            return trace
    small, slow = at_once(request, run_once, trace)
    why = trace.outcome.fields.get("why")
    if small is None and not slow:
        look = trace if has_called(trace) else first_look(request, run_once)
        small, slow = made_small(request, run_once, look, trace) if why != "size" or is_heavy(look) else (None, False)
    if small is not None:
        return dataclasses.replace(small, seconds=small.seconds + trace.seconds)
    if why in ("size", "work") and not slow:  # it may still end within its time
        trace = run_once(dataclasses.replace(request, measured=False))
        if trace.engine == "dry" or trace.outcome.state != "incomplete" or trace.outcome.reason not in GIVE_UP:
            return trace
    left = max(LEAST_SECONDS, request.timeout - (time.monotonic() - began) / strain())
    again = run_once(dataclasses.replace(request, engine="dry", timeout=left))
    if trace.outcome.reason.startswith("memory") and _asks_too_much(again, request.memory):
        return trace  # one tensor that no machine of this budget holds is the script's mistake, not its size
    why = trace.outcome.fields.get("why", "") or trace.outcome.reason.removesuffix("-unplaced").replace(
        "timeout", "seconds"
    )
    told = Assumption("engine-dry", {"why": why})
    seconds = again.seconds + trace.seconds
    if again.outcome.reason in (*GIVE_UP, "dry-unsupported"):
        trained = [one for _, one in known if one.engine == "live" and one.failure is None and has_trained(one)]
        if trained:  # it tells more than shapes do that are known of no more of the script
            most = max(trained, key=lambda one: len(one.steps))
            return dataclasses.replace(most, outcome=_late(most, request.timeout), seconds=seconds)
    if "seconds" in again.outcome.fields:  # the limit that the user set, not what was left of it
        again = dataclasses.replace(
            again,
            outcome=dataclasses.replace(
                again.outcome, fields=again.outcome.fields | {"seconds": f"{request.timeout:g}"}
            ),
        )
    return dataclasses.replace(again, engine="dry", seconds=seconds, assumptions=(told, *again.assumptions))


def _late(trace: Trace, seconds: float) -> Outcome:
    """The end of a run that took more time (s) than it has."""
    site = trace.outcome.site
    told = {"seconds": f"{seconds:g}"}
    if site is None:
        return Outcome("incomplete", "timeout-unplaced", told)
    return Outcome("incomplete", "timeout", told | {"line": str(site.line)}, site)


def _of_small(trace: Trace, small: Small) -> Trace:
    """A trace that tells how its run was made small. A loop that trains and has as many iterations as a number was
    made small to would have had as many as the script says: it counts as cut.

    >>> from shapewright.run.process.request import Size
    >>> from shapewright.trace import LoopFact, Site
    >>> ran = Trace("a.py", Outcome("complete"), loops=(LoopFact(1, Site("a.py", 3), 4, True, False, length=4),))
    >>> loop = _of_small(ran, Small((Size("EPOCHS = 25", 25, 4),))).loops[0]
    >>> loop.cut, loop.iterations, loop.length
    (True, 4, 25)
    """
    meant = {size.new: size.old for size in small.sizes}
    loops = tuple(
        dataclasses.replace(loop, length=meant[loop.length], cut=True)
        if loop.trained and loop.length in meant
        else loop
        for loop in trace.loops
    )
    return dataclasses.replace(trace, loops=loops, data=dataclasses.replace(trace.data, small=small))


def _asks_too_much(trace: Trace, memory: int) -> bool:
    """Whether the script itself asks for one tensor larger than the whole budget (bytes)."""
    for event in trace.events:
        shape = getattr(event.result, "shape", None)
        if shape and event.op in FACTORIES and math.prod(shape) * 4 > memory and not event.modules:
            return True
    return False
