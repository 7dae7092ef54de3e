"""Ends that a script makes for itself or that we make for it, as outcomes. It decides nothing about time or memory
limits."""

from __future__ import annotations

import signal
from collections.abc import Callable

from ...trace import Outcome, Site
from ..process.request import RunRequest


class Ended(BaseException):
    """Raised in the user's code where the run has to end; `outcome` says why. `execute` turns it into the trace so
    far."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


def placed(reason: str, site: Site | None, **fields: str) -> Outcome:
    """The outcome `reason` with the line of `site`, or `reason-unplaced` where no line is known."""
    if site is None:
        return Outcome("incomplete", f"{reason}-unplaced", fields)
    return Outcome("incomplete", reason, {**fields, "line": str(site.line)}, site)


def signal_name(number: int) -> str:
    """`SIGKILL` for 9."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def seconds(value: float) -> str:
    """A time limit without needless digits."""
    return f"{value:g}"


def timed_out(request: RunRequest, site: Site | None) -> Outcome:
    """The time limit was reached."""
    return placed("timeout", site, seconds=seconds(request.timeout))


def outcome_without_result(request: RunRequest, status: int | None, late: bool, site: Site | None) -> Outcome:
    """Why a child ended without handing over a trace.

    Args:
        status: its exit status, negative for a signal; `None` where it did not end by itself.
        late: whether it was killed for exceeding its time.
    """
    if late:
        return timed_out(request, site)
    if status is None:
        return Outcome("incomplete", "crashed", {"detail": "no answer"})
    if status < 0:
        return placed("killed", site, signal=signal_name(-status))
    return placed("exited", site, status=str(status))


Finish = Callable[[Outcome], None]
_finish: Finish | None = None


def on_end(finish: Finish | None) -> None:
    """Register what hands over the trace so far and leaves the process."""
    global _finish
    _finish = finish


def end(outcome: Outcome) -> None:
    """End the run here and now: hand over the trace so far where that can be had, else raise `Ended`."""
    if _finish is not None:
        _finish(outcome)
    raise Ended(outcome)
