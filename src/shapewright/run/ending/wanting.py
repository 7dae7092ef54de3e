"""Whether a failure in a run without an accelerator comes from its absence; which kind the script wanted."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ...trace import Failure
from ...trace.said import Refusal
from ..device.places import SIMULATED, simulated
from ..device.simulated import Devices
from .culprit import innermost, statement_at

if TYPE_CHECKING:
    from ..process.child import Run

MOVES = frozenset({"to", "_parse_to", "parse_to"})
UNBOUND = (NameError, AttributeError)
NONE = (ZeroDivisionError, IndexError, ValueError)  # of so many as none


def wanted_accelerator(run: Run, error: Exception, failure: Failure, devices: Devices) -> str:
    """The kind of accelerator that `error` asks for: torch says that there is none, the failing call names it, or the
    script was told that there is none and raised, took something for bound or returned that is so only with one, or
    reckoned with their count. Empty where there is one already."""
    if devices.kind:
        return ""
    if Refusal.NO_ACCELERATOR in failure.said:
        named = failure.message.lower()
        return next((kind for kind in SIMULATED[1:] if kind in named), SIMULATED[0])
    if run.recorder.failing is not None and run.recorder.failing[0] is error:
        op, _, args, kwargs = run.recorder.failing[1][:4]
        for value in (kwargs.get("device"), *(args if op in MOVES else ())):
            if (place := _named(value)) is not None:
                return place
    if not devices.asked:
        return ""
    frame = innermost(run, error.__traceback__)
    statement = statement_at(run, *frame) if frame is not None else None
    unbound = (
        isinstance(error, UNBOUND) or Refusal.NOTHING in failure.said or (devices.counted and isinstance(error, NONE))
    )
    return devices.asked if unbound or isinstance(statement, (ast.Raise, ast.Assert)) else ""


def _named(value: Any) -> str | None:
    if getattr(value, "kind", "") == "value":  # a device as the recorder keeps it
        value = value.value
    place = simulated(value) if isinstance(value, (int, str)) else None
    return None if place is None else place.type
