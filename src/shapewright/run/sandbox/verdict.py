"""Corrects the outcome of a trace where the sandbox itself, and not the script, brought about its end."""

from __future__ import annotations

import dataclasses

from ...trace import Trace
from ..process.request import RunRequest
from .ending import placed
from .limits import told_of_memory

REFUSALS = {
    "device-refused": "action",
    "network-refused": "address",
    "signal-refused": "signal",
    "write-refused": "path",
}


def judged(trace: Trace, request: RunRequest) -> Trace:
    """The trace with outcome `memory` where memory ran out, or `refused` where the failing line had just been refused
    something."""
    trace = told_of_memory(trace, request)
    failure = trace.failure
    if failure is None or trace.outcome.reason != "exception" or failure.site is None:
        return trace
    lines = {(site.file, site.line) for site in (*failure.stack, failure.site)}
    for item in reversed(trace.assumptions):
        if item.kind in REFUSALS and item.site is not None and (item.site.file, item.site.line) in lines:
            outcome = placed("refused", failure.site, action=item.fields[REFUSALS[item.kind]])
            return dataclasses.replace(trace, outcome=outcome, failure=dataclasses.replace(failure, ours=item.kind))
    return trace
