"""What a search may cost, counted in work and not in time: a busy machine finds the same repairs as an idle one.

A unit is about a second of a processor. What a run costs follows from the calls that it recorded and from the numbers
that these computed; nothing here looks at a watch.
"""

from __future__ import annotations

import math

from ..trace import Trace
from .progress import progress

OWN = 0.2  # to start a run and to judge it
CALLS = 2000  # recorded calls and steps that take a unit
COMPUTED = 0.4  # units that one of `record.work` takes in a whole run: that one is for the slowest operators
ENDED = 3.0  # a run that was ended from outside, and has told nothing
START = 3.0  # what comes before the run of a check, and its rules
SHARE = 2.0  # times of the check that all of its repairs may cost, the questions of other readings with them
KEPT = 0.7  # times of the check that the search leaves for these questions
AHEAD = 4  # times of what a script did that failed in its first round, which it does without the failure


def done(trace: Trace) -> float:
    """What one run did, from its first line on."""
    return max((len(trace.events) + len(trace.steps)) / CALLS, COMPUTED * trace.computed)


def cost(trace: Trace) -> float:
    """What one run cost; one that was ended from outside has told nothing."""
    return OWN + done(trace) if trace.work else ENDED


def foreseen(trace: Trace) -> float:
    """Units of work of a run that is not stopped where this one was: what failed in its first round, on the way
    forwards, goes through several, and backwards, too."""
    return done(trace) * (AHEAD if begins_briefly(trace) else 1)


def begins_briefly(trace: Trace) -> bool:
    """Whether a run that failed would have been the same as a brief one: nothing came a second time yet."""
    return trace.failure is not None and not any(loop.cut for loop in trace.loops) and progress(trace)[0] <= 1


class Effort:
    """What is left of an allowance; a part of another one draws on that one too.

    Args:
        allowance: how much there is.
        whole: what it is a part of.
        keep: how much of the whole it does not touch.
    """

    def __init__(self, allowance: float, whole: Effort | None = None, keep: float = 0.0) -> None:
        self.left, self.whole, self.allowance, self.keep = allowance, whole, allowance, keep

    @classmethod
    def of_check(cls, trace: Trace) -> Effort:
        """What may be spent on all repairs of one check: of one that stopped at once, as if it had gone on, since runs
        of its repairs do."""
        return cls(SHARE * (START + cost(trace) + foreseen(trace) - done(trace)))

    def part(self, allowance: float) -> Effort:
        """What one search may spend, which leaves enough to ask about other readings of what it finds."""
        return Effort(allowance, self, self.allowance * KEPT / SHARE)

    def rest(self) -> Effort:
        """All that is left of the whole."""
        return Effort(math.inf, self.whole)

    def spend(self, units: float) -> None:
        """So much was spent."""
        self.left -= units
        if self.whole is not None:
            self.whole.spend(units)

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0 or (self.whole is not None and self.whole.left <= self.keep)

    @property
    def nearly_spent(self) -> bool:
        """Whether less than a third is left."""
        whole = self.whole
        return 3 * self.left < self.allowance or (whole is not None and 3 * (whole.left - self.keep) < whole.allowance)

    def lingering(self, most: float) -> None:
        """No more than so much is spent from now on."""
        self.left = min(self.left, most)
