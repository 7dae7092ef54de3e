"""Finds the known messages: every module of `families/` has `MESSAGES`. No list names them."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from .model import Message


@functools.cache
def known_messages() -> tuple[tuple[str, Message], ...]:
    """`(family, message)` for every message that is known."""
    package = importlib.import_module(f"{__package__}.families")
    modules = [
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    ]
    return tuple((module.__name__.rsplit(".", 1)[1], message) for module in modules for message in module.MESSAGES)
