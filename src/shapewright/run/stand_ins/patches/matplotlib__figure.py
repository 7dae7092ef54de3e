"""Grids of plots whose numbers are whole floats (`20 / 2`), as older versions took them."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `Figure.add_subplot`, which `pyplot.subplot` calls too."""
    original = getattr(module.FigureBase.add_subplot, "__wrapped__", module.FigureBase.add_subplot)

    @functools.wraps(original)
    def add_subplot(self: Any, *args: Any, **options: Any) -> Any:
        whole = tuple(int(value) if isinstance(value, float) and value.is_integer() else value for value in args)
        if any(isinstance(value, float) for value in args):
            context.note("old-interface", old="add_subplot(2.0, …)", new="add_subplot(2, …)")
        return original(self, *whole, **options)

    module.FigureBase.add_subplot = add_subplot
