"""Pauses of a script are not waited for: nothing that a check asks happens in them."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import threading
from types import ModuleType
from typing import Any

from ..context import Context, is_user_file

SHARE = 0.001  # of a pause: those of several tasks keep their order
OURS = "shapewright"  # the names of the check's own threads


def patch(module: ModuleType, context: Context) -> None:
    """`time.sleep` and `asyncio.sleep` of the user's code last a moment, where no thread or process goes on meanwhile
    that might be waited for."""
    wait = getattr(module.sleep, "__wrapped__", module.sleep)
    pause = getattr(asyncio.sleep, "__wrapped__", asyncio.sleep)

    def short(seconds: float) -> float:
        if not context.active or not is_user_file(sys._getframe(2).f_code.co_filename):
            return seconds
        return seconds if _accompanied() else seconds * SHARE

    def sleep(seconds: float, /) -> None:
        wait(short(seconds))

    def asyncio_sleep(delay: float, result: Any = None) -> Any:
        return pause(short(delay), result)

    sleep.__wrapped__, asyncio_sleep.__wrapped__ = wait, pause  # type: ignore[attr-defined]
    module.sleep, asyncio.sleep = sleep, asyncio_sleep  # type: ignore[attr-defined, assignment]


def _accompanied() -> bool:
    own = threading.current_thread()
    others = (one for one in threading.enumerate() if one is not own and not one.name.startswith(OURS))
    return any(others) or bool(multiprocessing.active_children())
