"""Failures that are no evidence, since what the script needs was not there: samples made up as operators expected them,
a number that a library would have told. No torch here."""

from __future__ import annotations

import dataclasses
import re

from ...trace import Outcome, Trace
from ..engines.auto import GIVE_UP
from .uncut import FAILED

NUMBERS = re.compile(r"\d+")


def of_samples(trace: Trace) -> Trace:
    """A trace whose samples were made up as operators expected them: that it failed is no evidence."""
    named = next((one.fields["name"] for one in trace.assumptions if one.kind == "samples-made-up"), "")
    if not named or not failed(trace):
        return trace
    what, line = trace.data.made or trace.data.invented or (named, "?")
    library = trace.data.invented is not None and trace.data.made is None
    return for_want_of(trace, what, line, library)


def of_counts(trace: Trace) -> Trace:
    """A trace that failed of a number which a library that is not installed would have told."""
    failure, counted = trace.failure, trace.data.told_count
    if failure is None or counted is None or str(counted[2]) not in NUMBERS.findall(failure.message):
        return trace
    return for_want_of(trace, *counted[:2], library=True)


def for_want_of(trace: Trace, what: str, line: str, library: bool) -> Trace:
    """The trace of a run that ended for want of a library, or of a file."""
    reason, field = ("missing-module", "module") if library else ("missing-data", "file")
    told = Outcome("incomplete", reason, {field: what, "line": line}, trace.outcome.site)
    return dataclasses.replace(trace, outcome=told, failure=None)


def failed(trace: Trace) -> bool:
    """Whether a script ended badly, by its own account."""
    if trace.outcome.reason in GIVE_UP:  # which a smaller run mends, and no other data
        return False
    return trace.failure is not None or (trace.outcome.state == "incomplete" and trace.outcome.reason in FAILED)
