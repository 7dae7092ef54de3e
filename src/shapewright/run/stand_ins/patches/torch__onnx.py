"""Exports to ONNX where a library that writes the file is not installed: the model is called with the inputs that it
would be exported with, and nothing is written."""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file
from ..unknown import unknown_name


def patch(module: ModuleType, context: Context) -> None:
    """Let `torch.onnx.export` pass over what is not installed."""
    told = getattr(module.export, "__wrapped__", module.export)

    @functools.wraps(told)
    def export(model: Any, args: Any = (), *rest: Any, **options: Any) -> Any:
        try:
            return told(model, args, *rest, **options)
        except ModuleNotFoundError as error:
            if not is_user_file(sys._getframe(1).f_code.co_filename) or not error.name:
                raise
            context.note("stand-in-module", module=error.name)
            _called(model, args, options.get("kwargs") or {})
            return unknown_name("program", error.name)

    module.export = export  # type: ignore[attr-defined]


def _called(model: Any, args: Any, options: dict[str, Any]) -> None:
    """Call a model as an export does: in evaluation mode, without gradients."""
    import torch

    given = list(args) if isinstance(args, (tuple, list)) else [args]
    if given and isinstance(given[-1], dict):
        options = {**given.pop(), **options}
    if not isinstance(model, torch.nn.Module):
        return
    training = {part: part.training for part in model.modules()}
    try:
        with torch.no_grad():
            model.eval()(*given, **options)
    finally:
        for part, mode in training.items():
            part.training = mode
