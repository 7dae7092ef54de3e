"""The server process: imports torch once, then forks one sandboxed child per request and passes its trace on.

It stays single-threaded and runs no torch operator, so that a fork is sound. It holds no trace and knows no rule.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import selectors
import shutil
import signal
import socket
import struct
import sys
import time
import traceback
from collections import deque
from pathlib import Path

from ...trace import Outcome, Trace
from ..sandbox.deadline import GRACE, last_line
from ..sandbox.ending import outcome_without_result
from ..sandbox.enter import enter
from ..sandbox.kernel import become_subreaper, die_with_parent
from ..sandbox.landlock import confine
from .allocation import gather, keep_freed
from .forked import Child
from .framing import HEADER, packed, receive
from .pairs import Pairs
from .parking import TOLD, UNRESUMABLE
from .request import RunRequest
from .warm import complete, prepare

OUTPUT = 64 << 10
PATIENCE = 5.0  # seconds that a parked run may take to fork
MANY = 30  # forks, after which more of them are likely
FAILED = 70  # exit status of a child whose own part failed
LEAVE = os._exit  # the script's own os._exit is replaced in the child


class Server:
    """The event loop over the supervisor's socket, the children's pipes and their deaths."""

    def __init__(self, channel: socket.socket, folder: str) -> None:
        self.channel, self.folder = channel, folder
        self.limit = max(1, int(os.environ.get("SHAPEWRIGHT_CHILDREN", "2")))
        self.waiting: deque[tuple[int, RunRequest, tuple[int, int] | None]] = deque()
        self.children: dict[int, Child] = {}
        self.forks, self.completed, self.pairs = 0, set[bool](), Pairs()
        self.selector = selectors.DefaultSelector()
        self.selector.register(channel, selectors.EVENT_READ, None)
        awake, self._wake = socket.socketpair()
        awake.setblocking(False)
        self._wake.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        self.selector.register(awake, selectors.EVENT_READ, awake)

    def serve(self) -> None:
        """Until the supervisor goes away."""
        try:
            while self._once():
                pass
        finally:
            for child in self.children.values():
                _kill(child.pid)
            _reap_all()

    def _once(self) -> bool:
        timeout = min((child.deadline for child in self.children.values()), default=None)
        for key, _ in self.selector.select(None if timeout is None else max(0.0, timeout - time.monotonic())):
            if self.selector.get_map().get(key.fd) is not key:
                continue  # a child that was cancelled a moment ago
            if key.data is None:
                try:
                    message = receive(self.channel)
                except EOFError:
                    return False
                self._handle(message)
            elif isinstance(key.data, Child):
                control = next((each for each in key.data.controls if each.fileno() == key.fd), None)
                if control is not None:
                    self._told(key.data, control)
                else:
                    self._read(key.fd, key.data)
            else:
                _drain(key.data)
        self._reap()
        now = time.monotonic()
        for child in list(self.children.values()):
            if child.finished or child.status is not None:
                self._finish(child)
            elif child.late(now):
                child.timed_out = True
                _kill(child.pid)
                child.deadline = now + 5.0
        while self.waiting and (
            sum(not child.parked for child in self.children.values()) < self.limit
            or self.pairs.awaits(self.waiting[0][1])
        ):
            ticket, request, pilot = self.waiting.popleft()
            if pilot is None:
                self._fork(ticket, request)
            else:
                self._resume(ticket, request, pilot)
        return True

    def _handle(self, message: tuple) -> None:
        if message[0] == "run":
            self.waiting.append(message[1:])
        elif message[0] == "cancel":
            self.waiting = deque(item for item in self.waiting if item[0] != message[1])
            for child in list(self.children.values()):
                if child.ticket == message[1]:
                    _kill(child.pid)
                    self._forget(child)
        elif message[0] == "interrupt":
            tickets = [item[:2] for item in self.waiting]
            self.waiting.clear()
            for child in list(self.children.values()):
                _kill(child.pid)
                self._forget(child)
                if not child.parked:  # it has told that it waits
                    tickets.append((child.ticket, child.request))
            for ticket, request in tickets:
                self._ended(ticket, Trace(request.script, Outcome("incomplete", "interrupted")))
        elif message[0] == "preload":
            for name in message[1]:
                module, _, attribute = name.partition(":")
                try:
                    loaded = importlib.import_module(module)
                    if attribute:
                        getattr(loaded, attribute, None)  # some packages load their parts at first use
                except Exception as error:  # an optional speed-up: the child meets the same error where it matters
                    print(f"preload {name}: {error}", file=sys.stderr)
            prepare()

    def _ended(self, ticket: int, trace: Trace) -> None:
        """Answer a request with a trace of our own."""
        self.channel.sendall(packed(("result", ticket, packed(trace)[HEADER.size :], "")))

    def _fork(self, ticket: int, request: RunRequest) -> None:
        dry = request.engine == "dry"
        if self.forks and dry not in self.completed:
            self.completed |= {False, dry}
            complete(dry)
        self.forks += 1
        if self.forks == MANY:
            gather()
        scratch = os.path.join(self.folder, f"run-{ticket}")
        os.mkdir(scratch, 0o700)
        result_fd, result_end = os.pipe()
        output_fd, output_end = os.pipe()
        pairs = [socket.socketpair() for _ in request.park]
        began = time.monotonic()
        self.pairs.begin(request)
        pid = os.fork()
        if pid == 0:
            self.pairs.enter(request)
            _child(request, Path(scratch), result_end, output_end, tuple(end.detach() for _, end in pairs))
        self.pairs.forked(request)
        os.close(result_end)
        os.close(output_end)
        child = Child(ticket, request, pid, scratch, result_fd, output_fd, began + request.timeout + GRACE, began)
        child.controls = tuple(ours for ours, _ in pairs)
        self._watch(child)
        for ours, theirs in pairs:
            theirs.close()
            self.selector.register(ours, selectors.EVENT_READ, child)

    def _watch(self, child: Child) -> None:
        self.children[child.pid] = child
        for fd in (child.result_fd, child.output_fd):
            os.set_blocking(fd, False)
            self.selector.register(fd, selectors.EVENT_READ, child)

    def _told(self, child: Child, control: socket.socket) -> None:
        """A run that parks has come to one of its places, or is gone."""
        data = control.recv(TOLD.size)
        if len(data) < TOLD.size:
            self.selector.unregister(control)
            return
        child.waiting.add(TOLD.unpack(data)[1])
        if not child.parked:
            return
        outcome, spent = Outcome("incomplete", "parked"), time.monotonic() - child.began
        self._ended(child.ticket, Trace(child.request.script, outcome, seconds=spent))

    def _resume(self, ticket: int, request: RunRequest, pilot: tuple[int, int]) -> None:
        """Have a parked run fork a child that goes on with a request, from the place of a number."""
        parked = next((child for child in self.children.values() if child.ticket == pilot[0] and child.parked), None)
        ends = [*os.pipe(), *os.pipe()] if parked is not None else []
        try:
            if parked is None:
                raise EOFError
            control = parked.controls[pilot[1]]
            socket.send_fds(control, [b"R"], [ends[1], ends[3]])
            control.sendall(packed(request))
            control.settimeout(PATIENCE)
            _mark, pid = TOLD.unpack(control.recv(TOLD.size, socket.MSG_WAITALL))
        except (OSError, EOFError, struct.error):
            for fd in ends:
                os.close(fd)
            self._ended(ticket, Trace(request.script, Outcome("incomplete", UNRESUMABLE)))
            return
        os.close(ends[1])
        os.close(ends[3])
        began = time.monotonic()
        self._watch(
            Child(ticket, request, pid, "", ends[0], ends[2], began + request.timeout + GRACE, began, resumed=True)
        )

    def _read(self, fd: int, child: Child) -> None:
        try:
            data = os.read(fd, 1 << 20)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(fd)
            if child.resumed and fd == child.result_fd and child.status is None:
                child.status = 1  # its parent, the parked run, collects it: this is how its end shows
            return
        if fd == child.result_fd:
            child.result += data
            if (early := child.early()) is not None:
                self.channel.sendall(packed(("early", child.ticket, early, "")))
        else:
            child.output += data
            if len(child.output) > 2 * OUTPUT:
                del child.output[OUTPUT // 2 : -OUTPUT // 2]

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self.children.get(pid)
            if child is not None:
                child.status = os.waitstatus_to_exitcode(status)
                self._drain(child)

    def _drain(self, child: Child) -> None:
        """Read what is left in a child's pipes."""
        for fd in (child.result_fd, child.output_fd):
            while fd in self.selector.get_map() and _readable(fd):
                self._read(fd, child)

    def _finish(self, child: Child) -> None:
        _kill(child.pid)
        self._drain(child)
        if child.finished:
            body = bytes(child.result[HEADER.size :])
        else:
            place = last_line(Path(child.scratch), child.request) if child.scratch else None
            outcome = outcome_without_result(child.request, child.status, child.timed_out, place)
            if child.status == FAILED and not child.timed_out:
                said = child.output.decode(errors="replace").split("\n")
                outcome = Outcome(
                    "incomplete",
                    "crashed",
                    {"detail": next((line.strip() for line in reversed(said) if line.strip()), "no answer")[:300]},
                )
            trace = Trace(child.request.script, outcome, seconds=time.monotonic() - child.began)
            body = packed(trace)[HEADER.size :]
        self._forget(child)
        self.channel.sendall(packed(("result", child.ticket, body, child.output.decode(errors="replace"))))

    def _forget(self, child: Child) -> None:
        for fd in (child.result_fd, child.output_fd):
            if fd in self.selector.get_map():
                self.selector.unregister(fd)
            os.close(fd)
        for control in child.controls:
            if control in self.selector.get_map():
                self.selector.unregister(control)
            control.close()
        if child.status is None and not child.resumed:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child.pid, 0)
        del self.children[child.pid]
        if child.scratch:
            shutil.rmtree(child.scratch, ignore_errors=True)


def _child(request: RunRequest, scratch: Path, result_fd: int, output_fd: int, controls: tuple[int, ...]) -> None:
    """The forked child's whole life; never returns."""
    status, sandbox = FAILED, None
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        die_with_parent()
        with enter(request, scratch, result_fd, output_fd, controls) as sandbox:
            from .child import execute

            early = sandbox.send_early if request.early else None
            sandbox.send(execute(request, scratch, sandbox.assumptions, sandbox.parking, early))
        status = 0
    except BaseException as error:  # of ours, or of a script that took away what we stand on
        if sandbox is not None:
            detail = f"{type(error).__name__}: {error}".strip(": ")
            sandbox.send(
                Trace(
                    request.script,
                    Outcome("incomplete", "crashed", {"detail": detail}),
                    assumptions=sandbox.assumptions.all(),
                )
            )
        traceback.print_exc()
    finally:
        LEAVE(status)


def _kill(pid: int) -> None:
    """End a child and everything in its session; descendants that left it were made ours by the kernel and are
    reaped."""
    for ending in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            ending(pid, signal.SIGKILL)


def _reap_all() -> None:
    """Kill and collect whatever became a child of this process."""
    deadline = time.monotonic() + 2.0
    while time.monotonic() < deadline:
        try:
            for name in os.listdir("/proc/self/task"):
                for pid in Path(f"/proc/self/task/{name}/children").read_text().split():
                    _kill(int(pid))
        except OSError:
            pass
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.005)
        except ChildProcessError:
            return


def _drain(awake: socket.socket) -> None:
    try:
        while awake.recv(4096):
            pass
    except BlockingIOError:
        pass


def _readable(fd: int) -> bool:
    with selectors.DefaultSelector() as one:
        one.register(fd, selectors.EVENT_READ)
        return bool(one.select(0))


def main(channel: int, folder: str) -> None:
    """Import torch, then serve requests from the socket `channel`; scratch folders are made in `folder`."""
    gc.disable()  # until `prepare` ends: what is imported stays, and asking about it costs a tenth of the import
    become_subreaper()
    confine(folder, network=True, emptied=os.path.dirname(folder))
    connection = socket.socket(fileno=channel)
    connection.set_inheritable(False)
    import torch  # noqa: F401  (the reason for this process)

    from ..device.patches import hide
    from . import child  # noqa: F401

    hide()
    keep_freed()
    prepare()
    try:
        Server(connection, folder).serve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    sys.stderr.flush()
    LEAVE(0)  # all is told, and the interpreter's own end with torch costs a tenth of the import


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
