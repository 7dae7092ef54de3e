"""Explains an error text or traceback without the script that raised it. It imports no torch and runs nothing.

`answer` finds the message, `families/` know the messages (one file per family of operators, found by discovery),
`arithmetic` does the sums on a message's own numbers, `unrelated` names warnings that have nothing to do with a
failure."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Explanation


class _Callable(ModuleType):
    """This package, called as `shapewright.explain(text)`: once it is imported it hides the function of that name."""

    def __call__(self, text: str, lang: str = "") -> Explanation:
        from .answer import explain

        return explain(text, lang)


sys.modules[__name__].__class__ = _Callable
