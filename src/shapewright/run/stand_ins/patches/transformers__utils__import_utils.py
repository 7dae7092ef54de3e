"""The trainer of Hugging Face is given out also where accelerate, which it asks for, is not installed."""

from __future__ import annotations

from importlib.machinery import PathFinder
from types import ModuleType

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """Answer for the one backend that `one_process` supplies."""
    if PathFinder.find_spec("accelerate") is None and "accelerate" in getattr(module, "BACKENDS_MAPPING", {}):
        module.BACKENDS_MAPPING["accelerate"] = (lambda: True, module.BACKENDS_MAPPING["accelerate"][1])
