"""Spares a run the import of `torch._dynamo` (a second or more), which torch makes when the first optimiser is built or steps.

Nothing is compiled in a run, so a small module answers in its place; the first use of anything else in it imports the real one.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any

import torch

NAME = "torch._dynamo"


class _Quick(ModuleType):
    """Answers `graph_break` and `disable`; steps aside for the real module at anything else."""

    def graph_break(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is compiled, so there is no graph to break."""

    def disable(self, fn=None, recursive: bool = True, **kwargs: Any):
        """Nothing is compiled, so there is nothing to disable."""
        return fn if fn is not None else (lambda function: function)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__path__":
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
            torch.__dict__.pop("_dynamo", None)
            importlib.import_module(NAME)
        return getattr(sys.modules[NAME], name)


def quicken() -> None:
    """Put the small module in place, unless the real one is loaded."""
    if NAME not in sys.modules:
        module = _Quick(NAME)
        module.__file__ = os.path.join(os.path.dirname(torch.__file__), "_dynamo", "__init__.py")
        module.__package__ = NAME
        sys.modules[NAME] = module
        torch.__dict__["_dynamo"] = module
