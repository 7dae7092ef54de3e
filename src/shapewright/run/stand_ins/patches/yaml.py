"""Documents in YAML that are not on this machine, while a run observes what is asked of them."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context
from ..files.documents import LOADING
from ..files.observed import Piece, Stream


def patch(module: ModuleType, context: Context) -> None:
    """Wrap what reads documents."""
    for name in sorted(LOADING | {"unsafe_load"}):
        if not getattr(original := getattr(module, name, None), "observes", original is None):
            setattr(module, name, _reading(original))


def _reading(original: Any) -> Any:
    @functools.wraps(original)
    def load(stream: Any, *args: Any, **options: Any) -> Any:
        from ..files.entries import Entry

        if isinstance(stream, Stream):
            return Entry(stream.asked)
        return Entry(stream._asked, stream._row) if isinstance(stream, Piece) else original(stream, *args, **options)

    load.observes = True  # type: ignore[attr-defined]
    return load
