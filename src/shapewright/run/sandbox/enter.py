"""Puts the parts of the sandbox around this process, in the order in which they need each other."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import socket
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...trace import Outcome, Trace
from ..process.framing import packed
from ..process.parking import Parking
from ..process.request import RunRequest
from ..record.assume import Assumptions
from . import (
    audit,
    deadline,
    ending,
    environment,
    files,
    landlock,
    limits,
    native,
    network,
    processes,
    reserved,
    seccomp,
    where,
    workers,
)
from .kernel import die_with_parent
from .overlay import Overlay
from .verdict import judged

PER_KIND = 6  # assumptions of one kind that a reader is told
HIGH = 500  # file descriptors of ours start here, out of the way of scripts that close low ones


class Sandbox:
    """The child's connection to the resident process: `send` hands over the trace, once."""

    def __init__(self, request: RunRequest, result_fd: int) -> None:
        self.request, self.assumptions = request, Assumptions()
        self._result_fd = result_fd
        self._lock = threading.Lock()
        self._exit, self._write = os._exit, os.write
        self.parking: Parking | None = None
        self.forking = False  # a parked run is about to fork

    def send(self, trace: Trace) -> bool:
        """Hand over `trace`; the resident process ends this one when it has it. `False` where another thread is at it
        already."""
        if self._lock.acquire(blocking=False):
            for stream in (sys.__stdout__, sys.__stderr__):
                with contextlib.suppress(OSError, ValueError):
                    stream.flush()
            self._put(packed(judged(trace, self.request)))
            return True
        return False

    def send_early(self, trace: Trace) -> None:
        """Hand over what is known by now; `send` follows."""
        if self._lock.acquire(blocking=False):
            try:
                self._put(packed(judged(trace, self.request), early=True))
            finally:
                self._lock.release()

    def _put(self, frame: bytes) -> None:
        view = memoryview(frame)
        while view:
            view = view[self._write(self._result_fd, view) :]

    def park(self, controls: tuple[int, ...], scratch: Path, private: bool) -> None:
        """Make the run one that can wait and fork (`parking`)."""
        import torch

        system, duplicate = os.fork, os.dup2
        torch.set_num_threads(1)  # a pool of threads does not survive a fork

        def fork() -> int:
            self.forking, drawn = True, random.getstate()
            try:
                return system()
            finally:
                self.forking = False
                random.setstate(drawn)  # Python seeds it anew in a fork

        def begin(request: RunRequest, result_fd: int, output_fd: int) -> None:
            os.setsid()
            die_with_parent()
            duplicate(output_fd, 1)
            duplicate(output_fd, 2)
            os.close(output_fd)
            self.request, self._result_fd, self._lock = request, result_fd, threading.Lock()
            seccomp.filter_calls(network=private)
            deadline.watch(request, scratch, self.finish, forks=True)

        held = [socket.socket(fileno=fcntl.fcntl(control, fcntl.F_DUPFD_CLOEXEC, HIGH)) for control in controls]
        self.parking = Parking(held, self.request, fork, begin)
        for control in controls:
            os.close(control)

    def finish(self, outcome: Outcome) -> None:
        """Hand over the trace so far with `outcome`, and leave. Called at any moment, from any thread."""
        from ..process import child

        sys.setswitchinterval(60)  # the script's threads wait while the trace is gathered
        try:
            trace = child.snapshot(outcome)
        except Exception:  # a half-built trace must not cost the outcome
            trace = None
        if self.send(trace or Trace(self.request.script, outcome, assumptions=self.assumptions.all())):
            self._exit(0)


@contextlib.contextmanager
def enter(
    request: RunRequest, scratch: Path, result_fd: int, output_fd: int, controls: tuple[int, ...] = ()
) -> Iterator[Sandbox]:
    """The sandbox around this process, for good: nothing is undone at the end of the `with`.

    Args:
        request: the run.
        scratch: its folder.
        result_fd, output_fd: where its trace and its output go.
        controls: the sockets over which a run that parks is asked to go on; such a run may fork, and its forks may not.
    """
    result_fd = fcntl.fcntl(result_fd, fcntl.F_DUPFD_CLOEXEC, HIGH)
    environment.rewire(output_fd)
    environment.settle(request, scratch)
    where.follow(request.script)
    sandbox = Sandbox(request, result_fd)
    notes = Notes(sandbox.assumptions)
    ending.on_end(sandbox.finish)
    limits.bound(request)
    reserved.reserve()
    private = network.isolate()
    landlock.confine(str(scratch), network=private)
    seccomp.filter_calls(network=private, forks=bool(controls))
    deadline.watch(request, scratch, sandbox.finish, forks=bool(controls))
    if controls:
        sandbox.park(controls, scratch, private)
    view = Overlay(str(scratch), notes.redirected)
    files.install(view)
    native.install(view)
    processes.install(notes.add)
    workers.install(notes.add)
    sockets = network.handlers(
        lambda address: notes.add("network-refused", address=address), private=private, scratch=view.scratch
    )
    audit.install(
        view.scratch, sockets, notes.refused, lambda name, given: sandbox.forking or processes.refuse(notes.add, name)
    )
    yield sandbox


class Notes:
    """Turns what the sandbox did into assumptions, with the user's line, each kind once per line and seldom enough to
    be read."""

    def __init__(self, assumptions: Assumptions) -> None:
        self._assumptions = assumptions
        self._seen: Counter[object] = Counter()
        self._folders: set[str] = set()

    def add(self, kind: str, **fields: str) -> None:
        """Note what happened at the user's line that is being run."""
        site = where.user_site(sys._getframe(1))
        place = (kind, site.file, site.line) if site else (kind, *fields.values())
        self._seen[place] += 1
        self._seen[kind] += self._seen[place] == 1
        if self._seen[place] == 1 and self._seen[kind] <= PER_KIND:
            self._assumptions.add(kind, site=site, **fields)

    def redirected(self, path: str) -> None:
        """A change of the disk went to the scratch folder; what lies in a folder that was told of is not told again."""
        inside = path.startswith("/dev/shm/") or any(path.startswith(folder + os.sep) for folder in self._folders)
        if not inside and not where.made_up(sys._getframe(1)):
            self._folders.add(path)
            self.add("write-redirected", path=_short(path))

    def refused(self, action: str, path: str) -> None:
        """A change of the disk could only be refused."""
        self.add("write-refused", action=action, path=_short(path))


def _short(path: str) -> str:
    """The path relative to the working folder where it lies below it."""
    below = os.path.relpath(path, os.getcwd()) if os.path.isabs(path) else path
    return path if below.startswith("..") else below
