"""Looks at the variables of the user's functions line by line while something runs.

It looks; what is seen is its caller's business.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any


@contextlib.contextmanager
def stepped(code: CodeType, look: Callable[[FrameType, str], None]) -> Iterator[None]:
    """Shows `look` every event of the functions of a code's file while the body runs."""

    def follow(frame: FrameType, event: str, argument: object) -> Any:  # itself again, as Python asks
        if frame.f_code.co_filename != code.co_filename:
            return None
        look(frame, event)
        return follow

    before = sys.gettrace()
    sys.settrace(follow)
    try:
        yield
    finally:
        sys.settrace(before)
