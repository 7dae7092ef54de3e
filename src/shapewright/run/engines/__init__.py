"""The engines: `live` runs on real small tensors, `dry` on shapes alone, `auto` begins live and is run again dry when
the script outgrows it.

This module imports no torch, so that the process which asks for a run may use it. An engine knows no rule and no
report.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from ...trace import Site
from ..process.request import RunRequest
from ..record.assume import Assumptions
from .auto import OUTGROWN, settle

__all__ = ["OUTGROWN", "Engine", "make_engine", "settle"]


class Engine(Protocol):
    """What `execute` asks of an engine. `name` is `live` or `dry`; `active()` is entered around the script, outside the
    recorder, so that the recorder sees a call first and the engine answers it."""

    name: str

    def active(self) -> AbstractContextManager[None]: ...


def make_engine(
    request: RunRequest, assumptions: Assumptions, place: Callable[[], Site | None], texts: tuple[str, ...] = ()
) -> Engine:
    """The engine for one run.

    Args:
        request: `engine` chooses; `auto` gives a live engine with a budget.
        assumptions: where the engine tells what it made up.
        place: the user's place at the time of the call.
        texts: sources and arguments of the script, which tell in which world it begins.
    """
    if request.engine == "dry":
        from ..device.worlds import world
        from .dry import Dry

        return Dry(assumptions, place, world(request, texts))
    from .live import Live

    return Live(request, assumptions, place, texts)
