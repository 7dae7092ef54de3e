"""The budget of a live run under `auto`: bytes of parameters and seconds. Overdrawn, it raises `Outgrown` in the
script."""

from __future__ import annotations

import contextlib
import signal
import threading
import weakref
from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch.nn.modules.module import register_module_parameter_registration_hook

from ..process.strain import Clock

if TYPE_CHECKING:
    from ..record.work import Work

PARAMETERS, SECONDS, WORK, SIZE = "parameters", "seconds", "work", "size"
LOOK = 400_000_000  # bytes of parameters from which on a look at what they are given comes first
MOST = 20.0  # of `record.work`, about a second each
SHARE_OF_MEMORY = 0.2
SHARE_OF_TIME = 0.5


class Outgrown(BaseException):
    """The script is too large for live tensors. `why` is `parameters`, `seconds`, `work` or
    `size`. Not an `Exception`: scripts
    do not catch it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def told(self, work: Work) -> dict[str, str]:
        """What the outcome tells, with how many `times` more was foreseen than could be done where something was."""
        return {"why": self.why, "times": f"{work.times:.2g}"} if work.times else {"why": self.why}


class Budget:
    """Counts parameter bytes as modules register them, before they are initialized, and watches the clock.

    A training step holds parameters, gradients and two moments, so parameters may use at most `SHARE_OF_MEMORY` of the
    memory.

    Args:
        memory: bytes that the run may allocate.
        measured: refuse more than `LOOK` bytes too.
        seconds: wall time of the whole run; the live part may use `SHARE_OF_TIME` of it.
    """

    def __init__(self, memory: int, seconds: float, measured: bool = False) -> None:
        self.measured = measured
        self.bytes = int(memory * SHARE_OF_MEMORY)
        self.seconds = seconds * SHARE_OF_TIME
        self.used = 0
        self._held: dict[int, weakref.ref] = {}

    def register(self, module: torch.nn.Module, name: str, parameter: torch.nn.Parameter | None) -> None:
        """Hook of `register_parameter`. Counts a parameter once, and no longer when it is gone."""
        if parameter is None or parameter.is_meta:
            return
        key = id(parameter)
        held = self._held.get(key)
        if held is not None and held() is parameter:
            return
        try:
            size = parameter.nbytes
        except (RuntimeError, ValueError):  # a lazy module's parameter has no size yet
            return

        def forget(reference: weakref.ref) -> None:
            self.used -= size
            if self._held.get(key) is reference:
                del self._held[key]

        self._held[key] = weakref.ref(parameter, forget)
        self.used += size
        if self.used > self.bytes:
            raise Outgrown(PARAMETERS)
        if self.measured and self.used > LOOK:
            raise Outgrown(SIZE)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Watch while the body runs. The clock needs the main thread; elsewhere only bytes are counted."""
        handle = register_module_parameter_registration_hook(self.register)
        timed = threading.current_thread() is threading.main_thread() and self.seconds > 0
        if timed:
            before = signal.signal(signal.SIGALRM, self._late)
            self._clock = Clock(self.seconds)
            signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            yield
        finally:
            handle.remove()
            if timed:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)

    def _late(self, number: int, frame: object) -> None:
        if left := self._clock.left():  # the machine computed for others meanwhile
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.05))
            return
        raise Outgrown(SECONDS)
