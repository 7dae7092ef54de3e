"""The output formats, found by discovery: a module of this folder with `name` and `render` is one. No list names
them."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from types import ModuleType


def find_format(name: str) -> ModuleType:
    """The renderer called `name`. Its `render(diagnoses, *, many, width, color, remarks) -> str` takes what it needs of
    these.

    Raises:
        ValueError: there is none; the message names those that there are.
    """
    if name.isidentifier() and importlib.util.find_spec(f"{__package__}.{name}") is not None:
        module = importlib.import_module(f"{__package__}.{name}")
        if getattr(module, "name", None) == name and hasattr(module, "render"):
            return module
    raise ValueError(f"format must be one of {', '.join(format_names())}, not {name!r}")


def format_names() -> list[str]:
    """The names of all formats, in alphabetical order."""
    package = importlib.import_module(__package__)
    modules = (importlib.import_module(f"{__package__}.{info.name}") for info in pkgutil.iter_modules(package.__path__))
    return sorted(module.name for module in modules if hasattr(module, "render") and hasattr(module, "name"))
