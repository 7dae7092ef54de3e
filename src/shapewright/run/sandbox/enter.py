"""Puts the parts of the sandbox around this process, in the order in which they need each other."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys
import threading
from pathlib import Path
from typing import Iterator

from ...trace import Outcome, Trace
from ..assume import Assumptions
from ..framing import packed
from ..request import RunRequest
from . import deadline, ending, environment, limits, where

HIGH = 500  # file descriptors of ours start here, out of the way of scripts that close low ones


class Sandbox:
    """The child's connection to the resident process: `send` hands over the trace, once."""

    def __init__(self, request: RunRequest, result_fd: int) -> None:
        self.request, self.assumptions = request, Assumptions()
        self._result_fd = result_fd
        self._lock = threading.Lock()
        self._exit, self._write = os._exit, os.write

    def send(self, trace: Trace) -> bool:
        """Hand over `trace`; the resident process ends this one when it has it. `False` where another thread is at it already."""
        if self._lock.acquire(blocking=False):
            view = memoryview(packed(limits.told_of_memory(trace, self.request)))
            while view:
                view = view[self._write(self._result_fd, view):]
            return True
        return False

    def finish(self, outcome: Outcome) -> None:
        """Hand over the trace so far with `outcome`, and leave. Called at any moment, from any thread."""
        from .. import child

        sys.setswitchinterval(60)  # the script's threads wait while the trace is gathered
        try:
            trace = child.snapshot(outcome)
        except Exception:  # a half-built trace must not cost the outcome
            trace = None
        if self.send(trace or Trace(self.request.script, outcome, assumptions=self.assumptions.all())):
            self._exit(0)


@contextlib.contextmanager
def enter(request: RunRequest, scratch: Path, result_fd: int, output_fd: int) -> Iterator[Sandbox]:
    """The sandbox around this process, for good: nothing is undone at the end of the `with`."""
    result_fd = fcntl.fcntl(result_fd, fcntl.F_DUPFD_CLOEXEC, HIGH)
    environment.rewire(output_fd)
    environment.settle(request, scratch)
    where.follow(request.script)
    sandbox = Sandbox(request, result_fd)
    ending.on_end(sandbox.finish)
    deadline.watch(request, scratch, sandbox.finish)
    limits.bound(request)
    yield sandbox
