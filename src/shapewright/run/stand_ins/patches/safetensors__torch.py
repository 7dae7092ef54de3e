"""`safetensors.torch`: weights that are not on this machine leave the model as it was made."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ..checkpoints import absent, stands_in
from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Answer for files that are not there in `load_file` and `load_model`."""
    load_file = getattr(module.load_file, "__wrapped__", module.load_file)
    load_model = getattr(module.load_model, "__wrapped__", module.load_model)

    def file(filename: object, *args: Any, **options: Any) -> Any:
        return (
            absent(filename, context)
            if context.active and stands_in(filename, sys._getframe(1))
            else load_file(filename, *args, **options)
        )

    def model(model: object, filename: object, *args: Any, **options: Any) -> Any:
        if context.active and stands_in(filename, sys._getframe(1)):
            absent(filename, context)
            return [], []
        return load_model(model, filename, *args, **options)

    file.__wrapped__, model.__wrapped__ = load_file, load_model  # type: ignore[attr-defined]
    module.load_file, module.load_model = file, model  # type: ignore[attr-defined]
