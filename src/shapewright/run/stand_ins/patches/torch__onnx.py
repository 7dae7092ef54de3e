"""A model that is exported where the exporter's own libraries are not installed: nothing is written."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file


def patch(module: ModuleType, context: Context) -> None:
    """`torch.onnx.export` of the user's code is passed over where what it needs is not there."""
    export = getattr(module.export, "__wrapped__", module.export)

    @functools.wraps(export)
    def exported(*args: Any, **options: Any) -> Any:
        try:
            return export(*args, **options)
        except ModuleNotFoundError as error:
            if not is_user_file(sys._getframe(1).f_code.co_filename) or not error.name:
                raise
            context.note("stand-in-module", module=error.name)
            return None

    module.export = exported  # type: ignore[attr-defined]
