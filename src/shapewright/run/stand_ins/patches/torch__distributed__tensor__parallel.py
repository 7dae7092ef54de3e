"""Tensors that a library divides among processes stay whole in a single one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context


def patch(library: ModuleType, context: Context) -> None:
    """Replace `parallelize_module`; one rank of several divides for itself, to see its sizes."""
    divide = library.parallelize_module

    def parallelize_module(module: object, *args: Any, **options: Any) -> Any:
        if context.rank is not None:
            return divide(module, *args, **options)
        if context.ranks is not None:
            context.ranks.divided = True
        context.note("single-process", backend="tensor parallel")
        return module

    library.parallelize_module = parallelize_module
