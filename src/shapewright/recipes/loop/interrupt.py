"""Ctrl-C (and a polite SIGTERM) as a question that the loop answers between two steps, when a checkpoint is
consistent."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any


class Interrupted(Exception):
    """The run was asked to stop and has saved; the text says how to go on (exit code 130)."""


class Interrupts:
    """While entered, the first signal only sets `asked`; a second one interrupts at once, as usual."""

    signals = (signal.SIGINT, signal.SIGTERM)

    def __init__(self) -> None:
        self.asked = False
        self.former: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self.former = {number: signal.signal(number, self._ask) for number in self.signals}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self.former.items():
            signal.signal(number, handler)
        self.former = {}

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
