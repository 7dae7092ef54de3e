"""NLTK's tokenizers where the models that they load are not on this machine."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from ..context import Context


def patch(module: ModuleType, context: Context) -> None:
    """`word_tokenize` and `sent_tokenize` divide a text by its marks where their data are absent."""
    from ..absent import nltk

    for name in ("word_tokenize", "sent_tokenize"):
        setattr(module, name, _dividing(getattr(module, name), getattr(nltk, name)))


def _dividing(original: Any, stand_in: Any) -> Any:
    @functools.wraps(original)
    def divide(text: str, *args: Any, **options: Any) -> list[str]:
        try:
            return original(text, *args, **options)
        except LookupError:
            return stand_in(text)

    return divide
