"""Environment variables that the script reads and that nobody set: what a launcher would have set (`torchrun`), and
small values for others that it cannot do without."""

from __future__ import annotations

import os
import sys
from types import FrameType
from typing import Any

from .checkpoints import prepared_at
from .context import Context, is_user_file
from .filling import value
from .launcher import VARIABLES

ASKING = ("os.py", "<frozen os>", "_collections_abc.py", "<frozen _collections_abc>")  # `os.environ.get`, `os.getenv`


def variables(context: Context) -> None:
    """Let `os.environ["NAME"]` answer where the script reads it without a default; `os.environ.get("NAME")` too in a
    run in which what may be left out is given (`Guess.chosen`)."""
    kind = type(os.environ)
    read = getattr(kind.__getitem__, "__wrapped__", kind.__getitem__)  # the same process may run several scripts

    def __getitem__(self: Any, key: str) -> str:
        try:
            return read(self, key)
        except KeyError:
            if self is not os.environ or (asking := _asking(sys._getframe(1), context)) is None:
                raise
            if key in VARIABLES and asking is sys._getframe(1):
                context.note("launcher-variable", name=key, value=VARIABLES[key])
                return VARIABLES[key]
            if key in VARIABLES or prepared_at(asking, KeyError):
                raise
            made = value(key.lower(), context.usage.kinds.get(key, ""))
            context.note("variable-filled", name=key, value=made)
            return made

    __getitem__.__wrapped__ = read  # type: ignore[attr-defined]
    kind.__getitem__ = __getitem__


def _asking(frame: FrameType, context: Context) -> FrameType | None:
    """The user's frame that asks for a variable; `None` where a library does, or a default is at hand."""
    asking: FrameType | None = frame
    while asking is not None and os.path.basename(asking.f_code.co_filename) in ASKING:
        if asking.f_locals.get("default") is not None or asking.f_code.co_name == "__contains__":
            return None
        asking = asking.f_back
    if asking is None or not is_user_file(asking.f_code.co_filename):
        return None
    context.left_out |= asking is not frame
    return asking if asking is frame or context.guess.chosen else None
