"""Failures in threads that the script starts; worker processes run as threads too. The main thread's run goes on, as it
would.

What such a thread does is not recorded, only the call at which it failed."""

from __future__ import annotations

import concurrent.futures.thread
import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from torch.overrides import TorchFunctionMode

from ..record.names import SILENT, canonical
from ..record.recorder import Recorder

PATIENCE = 10.0  # seconds that threads are waited for at the end


class Failing(TorchFunctionMode):
    """Has the recorder keep the calls that raise, and no others; `call` is the last one of this thread."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder
        self.call: tuple | None = None

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        try:
            return func(*args, **kwargs)
        except Exception as error:
            op = canonical(func)
            if op not in SILENT:
                self.recorder.failed(error, op, args, kwargs)
                self.call = self.recorder.failing
            raise


class Threads:
    """The script's threads. `failed` is the first exception that ended one of them.

    Args:
        recorder: what is told of failing calls.
        devices: the mode of the simulated device, where there is one; modes hold for one thread only.
    """

    def __init__(self, recorder: Recorder, devices: TorchFunctionMode | None) -> None:
        self.recorder, self.devices = recorder, devices
        self.failed: Exception | None = None
        self.call: tuple | None = None
        self.started: list[threading.Thread] = []

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Follow the threads that are started while the body runs."""
        begin, threads = threading.Thread.start, self

        def start(thread: threading.Thread) -> None:
            thread.run = threads._within(thread.run)  # type: ignore[method-assign]
            begin(thread)
            threads.started.append(thread)

        threading.Thread.start = start  # type: ignore[method-assign]
        try:
            yield
        finally:
            threading.Thread.start = begin  # type: ignore[method-assign]

    def _within(self, body: Callable[[], None]) -> Callable[[], None]:
        def run() -> None:
            with contextlib.ExitStack() as stack:
                if self.devices is not None:
                    stack.enter_context(self.devices)
                failing = stack.enter_context(Failing(self.recorder))
                try:
                    body()
                except Exception as error:
                    if self.failed is None:
                        self.failed, self.call = error, failing.call
                    raise

        return run

    def settle(self) -> None:
        """Wait for the threads that Python would wait for, for a while; raise what ended one of them."""
        until = time.monotonic() + PATIENCE
        for thread in self.started:
            if not thread.daemon and getattr(thread, "_target", None) is not concurrent.futures.thread._worker:
                while self.failed is None and thread.is_alive() and time.monotonic() < until:
                    thread.join(0.05)
        if self.failed is not None:
            self.recorder.failing = self.call or self.recorder.failing
            raise self.failed
