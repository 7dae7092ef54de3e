"""Tables of pandas that are not on this machine."""

from __future__ import annotations

from types import ModuleType

from ..context import Context
from ..files.frames import patched


def patch(module: ModuleType, context: Context) -> None:
    """Wrap what reads tables."""
    patched(module, context)
