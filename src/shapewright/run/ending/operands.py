"""Arithmetic that Python refused because one side is no tensor: a fault of tensors only where a call of the script gave
that side."""

from __future__ import annotations

import dataclasses

from ...trace import Outcome, Trace
from ...trace.said import Refusal

OPERANDS = {Refusal.NOT_A_TENSOR, Refusal.NOTHING}


def of_the_script(trace: Trace) -> Trace:
    """`trace`, its outcome that of any exception where it is not known which call gave the operand."""
    failure, outcome = trace.failure, trace.outcome
    if failure is None or outcome.state != "stopped" or failure.event is not None or failure.module >= 0:
        return trace
    if failure.kind != "TypeError" or not OPERANDS & set(failure.said):
        return trace
    from ...graph.pairs import tuple_given  # only here: they read the script's source
    from ...graph.unreturned import unreturned

    if tuple_given(trace) or unreturned(trace):
        return trace
    return dataclasses.replace(trace, outcome=Outcome("incomplete", "exception", outcome.fields, outcome.site))
