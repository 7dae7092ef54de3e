"""One thread with one warm resident process: checks what it is asked for, the newest first, and looks for repairs when
nothing else waits.

It knows nothing of the protocol; what it finds it hands to the callbacks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any

from ..checking import Examined, found_in, with_repairs
from ..dataclass import dataclass
from ..diagnosis import Diagnosis, Finding
from ..run.process.request import RunRequest
from ..run.process.strain import strain
from ..run.process.supervisor import Resident
from ..trace import Trace

LONG = 5.0  # seconds after which a run stands back for that of another script


class Superseded(BaseException):
    """What is being run is no longer wanted. Not an `Exception`, so that nothing on the way takes it for a failure."""


@dataclass(frozen=True)
class Task:
    """One script to check. `texts` replace what is on the disk; `found` is what a check found whose repairs are still
    to be looked for. With `then` the check is a trial: `then` is told of it, and nobody else."""

    script: str
    arguments: tuple[str, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    cwd: str = ""
    repair: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    found: Examined | None = None
    then: Callable[[Examined], None] | None = None
    asked: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Found:
    """What the worker found: `early`, before the probes were asked; then without repairs; then with them. `final` tells
    whether more is to come."""

    task: Task
    trace: Trace
    diagnosis: Diagnosis
    final: bool
    early: bool = False


@dataclass(frozen=True)
class Repaired:
    """Findings whose repairs were looked for, and what they were found in."""

    request: RunRequest
    texts: Mapping[str, str]
    findings: tuple[Finding, ...]

    def told(self, found: Examined) -> bool:
        """Whether a check ran the same texts in the same way and found the same: its repairs are these."""
        if replace(self.request, sources={}) != replace(found.request, sources={}) or self.texts != found.trace.sources:
            return False
        one, other = (
            [(item.code, item.site, item.message) for item in several]
            for several in (self.findings, found.diagnosis.findings)
        )
        return one == other


class Worker:
    """Checks scripts one after the other in a thread of its own.

    Args:
        python: the interpreter that runs the scripts, by default this one.
        began, found, failed: called from the worker's thread, as a task begins, with what it found, and with what
            went wrong.
    """

    def __init__(
        self,
        python: str | None,
        began: Callable[[Task], None],
        found: Callable[[Found], None],
        failed: Callable[[Task, Exception], None],
    ) -> None:
        self._python, self._began, self._found, self._failed = python, began, found, failed
        self._resident = Interruptible(Resident(python=python))
        self._waiting: list[Task] = []
        self._repaired: dict[str, Repaired] = {}  # by script: the last check whose repairs were looked for
        self._running: Task | None = None
        self._since = 0.0  # when it began, on the monotonic clock (s)
        self._again: Task | None = None  # what is interrupted only for a while
        self._closing = False
        self._ready = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="shapewright-worker", daemon=True)
        self._thread.start()

    @property
    def folder(self) -> str:
        """The resident's scratch folder, which goes away with it."""
        return self._resident.resident.folder

    def ask(self, task: Task) -> None:
        """Check `task.script` soon. What was asked for the same script before is given up; a search for repairs of
        another one, or a run of another one that takes long, is taken up again later."""
        with self._ready:
            self._waiting = [other for other in self._waiting if other.script != task.script]
            self._waiting.append(task)
            running = self._running
            if running is not None:
                same, left = running.script == task.script, self._since + LONG * strain() - time.monotonic()
                self._again = None if same else running
                if same or left <= 0 or running.found is not None:
                    self._resident.interrupt()
                else:
                    later = threading.Timer(left, self._stand_back, (running,))
                    later.daemon = True
                    later.start()
            self._ready.notify()

    def _stand_back(self, task: Task) -> None:
        """A run that takes long makes room for what was asked for in the meantime."""
        with self._ready:
            if self._running is task and any(other.script != task.script for other in self._waiting):
                self._again = task
                self._resident.interrupt()

    def drop(self, script: str) -> None:
        """Nothing about this script is wanted any more."""
        with self._ready:
            self._repaired.pop(script, None)
            self._waiting = [other for other in self._waiting if other.script != script]
            if self._running is not None and self._running.script == script:
                self._again = None
                self._resident.interrupt()

    def close(self) -> None:
        """End the thread and the resident process."""
        with self._ready:
            self._closing = True
            self._waiting.clear()
            self._resident.interrupt()
            self._ready.notify()
        self._thread.join(5.0)
        self._resident.resident.close()

    def _next(self) -> Task | None:
        with self._ready:
            self._running = None
            while not self._waiting and not self._closing:
                self._ready.wait()
            if self._closing:
                return None
            fresh = [task for task in self._waiting if task.found is None]
            task = max(fresh or self._waiting, key=lambda task: task.asked)
            self._waiting.remove(task)
            self._running, self._since = task, time.monotonic()
            self._resident.renew(self._python)
            return task

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                self._one(task)
            except Superseded:
                if self._again is task:
                    self._put_back(task)
            except Exception as error:  # of ours, or of settings that cannot be read: the next task is not to blame
                self._failed(task, error)

    def _one(self, task: Task) -> None:
        if task.found is None:
            if task.then is None:
                self._began(task)
            found = self._found_in(task)
            if not self._resident.alive:  # ended from outside: another process answers
                self._resident.renew(self._python)
                found = self._found_in(task)
            self._resident.check()
            if task.then is not None:
                task.then(found)
                return
            known = self._repaired.get(task.script)
            if known is not None and known.told(found):
                self._found(Found(task, found.trace, found.diagnosis.with_findings(known.findings), True))
                return
            more = task.repair and bool(found.diagnosis.findings)
            self._found(Found(task, found.trace, found.diagnosis, not more))
            if more:
                self._put_back(replace(task, found=found))
            return
        diagnosis = with_repairs(task.found, self._resident)
        self._resident.check()
        self._repaired[task.script] = Repaired(task.found.request, task.found.trace.sources, diagnosis.findings)
        self._found(Found(task, task.found.trace, diagnosis, True))

    def _found_in(self, task: Task) -> Examined:
        def told(found: Examined) -> None:
            if self._resident.wanted and task.then is None:
                self._found(Found(task, found.trace, found.diagnosis, False, True))

        return found_in(
            task.script,
            task.arguments,
            resident=self._resident,
            texts=task.texts,
            cwd=task.cwd,
            early=told,
            **task.options,
        )

    def _put_back(self, task: Task) -> None:
        """Go on with a task later, unless its script is asked for anew."""
        with self._ready:
            if all(other.script != task.script for other in self._waiting):
                self._waiting.append(task)


class Interruptible:
    """A `Resident` whose runs another thread can end: what is asked of it afterwards raises `Superseded`."""

    def __init__(self, resident: Resident) -> None:
        self.resident = resident
        self._lock = threading.Lock()
        self._stopped = False
        self._open: set[int] = set()

    @property
    def alive(self) -> bool:
        """As `Resident.alive`."""
        return self.resident.alive

    @property
    def wanted(self) -> bool:
        """Whether what runs is still wanted."""
        return not self._stopped

    def check(self) -> None:
        """Raises `Superseded` where another thread interrupted."""
        if self._stopped:
            raise Superseded

    def submit(
        self, request: RunRequest, parked: tuple[int, int] | None = None, early: Callable[[Trace], None] | None = None
    ) -> int:
        """As `Resident.submit`."""
        with self._lock:
            self.check()
            ticket = self.resident.submit(request, parked, early)
            self._open.add(ticket)
            return ticket

    def result(self, ticket: int) -> Trace:
        """As `Resident.result`."""
        self.check()
        trace = self.resident.result(ticket)
        self._open.discard(ticket)
        self.check()
        return trace

    def run(self, request: RunRequest, early: Callable[[Trace], None] | None = None) -> Trace:
        """As `Resident.run`."""
        return self.resident.known.run(self, request, early)

    def cancel(self, ticket: int) -> None:
        """As `Resident.cancel`."""
        self._open.discard(ticket)
        self.resident.cancel(ticket)

    def interrupt(self) -> None:
        """End what runs. Called from another thread than the rest."""
        with self._lock:
            self._stopped = True
            self.resident.interrupt()

    def renew(self, python: str | None) -> None:
        """Forget an interruption and what it left behind; start another server where this one is gone."""
        with self._lock:
            self._stopped = False
            for ticket in self._open:
                self.resident.cancel(ticket)
            self._open.clear()
            if not self.resident.alive:
                self.resident.close()
                self.resident = Resident(python=python)
