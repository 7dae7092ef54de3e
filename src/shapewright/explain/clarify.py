"""`clarify`: the explanation attached to an error in the user's own process, as a context manager or a decorator.

The error keeps its type and its traceback; a note is added (PEP 678), so nothing that catches it behaves
differently."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from .answer import explain

MARK = "shapewright: "


class _Clarified(contextlib.ContextDecorator):
    """The block: it never swallows an error, it only adds a note."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def __enter__(self) -> _Clarified:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if isinstance(error, Exception) and not any(note.startswith(MARK) for note in getattr(error, "__notes__", ())):
            explanation = explain("".join(traceback.format_exception(kind, error, trace)), self._lang)
            if explanation.known:
                error.add_note(MARK + str(explanation).rstrip())
        return False


def clarify(function: Callable[..., Any] | None = None, *, lang: str = "") -> Any:
    """Adds shapewright's explanation to an error that leaves the block or the function.

        with shapewright.clarify():
            loss = criterion(model(x), y)

        @shapewright.clarify
        def training_step(batch): ...

    Args:
        function: the function, where it is used as a decorator without arguments.
        lang: `en`, `es` or `ja`; the locale's by default.
    """
    block = _Clarified(lang)
    return block if function is None else block(function)
