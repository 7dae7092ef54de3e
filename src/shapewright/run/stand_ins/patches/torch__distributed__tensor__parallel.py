"""Tensors that a library divides among processes stay whole in a single one."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Replace `parallelize_module`; one rank of several divides for itself, to see its sizes."""
    divide = module.parallelize_module

    def parallelize_module(model: object, *args: Any, **options: Any) -> Any:
        if context.rank is not None:
            return divide(model, *args, **options)
        if context.ranks is not None:
            context.ranks.divided = True
        context.note("single-process", backend="tensor parallel")
        return model

    module.parallelize_module = parallelize_module
