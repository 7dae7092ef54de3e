"""Plots of lists that a cut loop left shorter than what they are drawn against are passed over."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context
from ..silence import Silent

DRAWN = (
    "plot",
    "scatter",
    "bar",
    "barh",
    "fill_between",
    "errorbar",
    "step",
    "stem",
    "hist",
    "pie",
    "imshow",
    "boxplot",
)


def patch(module: ModuleType, context: Context) -> None:
    """Wrap what draws: where a loop was cut, what does not fit together is not the script's doing."""
    for name in DRAWN:
        kept = getattr(module.Axes, name)
        setattr(module.Axes, name, _passing(getattr(kept, "__wrapped__", kept), context))


def _passing(original: Any, context: Context) -> Any:
    @functools.wraps(original)
    def draw(*args: Any, **options: Any) -> Any:
        try:
            return original(*args, **options)
        except (ValueError, IndexError, ZeroDivisionError):
            if not context.cut():
                raise
            context.note("plot-passed-over", name=original.__name__)
            return [Silent(original.__name__)]

    return draw
