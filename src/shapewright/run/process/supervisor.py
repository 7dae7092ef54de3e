"""The parent's side of the resident process: starts it at once, sends it runs, reads back traces. It never imports
torch.

It knows no rule and prints nothing."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from ...trace import Outcome, Trace
from ..sandbox.environment import VARIABLES
from .framing import PlainUnpickler, packed, receive
from .interpreter import VARIABLE, foreign
from .known import Early, Known
from .request import RunRequest

PACKAGE_PARENT = str(Path(__file__).resolve().parents[3])
START = (
    "import sys; sys.path.count({root!r}) or sys.path.append({root!r}); from shapewright.run.process.resident import "
    "main; main({channel}, {folder!r})"
)
# Libraries that start no thread when they are imported, so that they may be loaded before a fork.
LIBRARIES = frozenset(
    {
        "accelerate",
        "datasets",
        "einops",
        "gymnasium",
        "lightning",
        "matplotlib",
        "numpy",
        "pandas",
        "peft",
        "PIL",
        "pytorch_lightning",
        "safetensors",
        "scipy",
        "seaborn",
        "sklearn",
        "timm",
        "tokenizers",
        "torchmetrics",
        "torchvision",
        "tqdm",
        "transformers",
        "trl",
    }
)
# Another interpreter is lent our package alone: what is installed beside it here is for this one.
ELSEWHERE = (
    "import sys; from importlib import util; "
    "spec = util.spec_from_file_location('shapewright', {root!r} + '/shapewright/__init__.py', "
    "submodule_search_locations=[{root!r} + '/shapewright']); "
    "sys.modules['shapewright'] = package = util.module_from_spec(spec); spec.loader.exec_module(package); "
    "from shapewright.run.process.resident import main; main({channel}, {folder!r})"
)
CLOSING = 2.0
PREFIX = "shapewright-"


class Resident:
    """A server process with torch loaded that forks one sandboxed child per request.

    Construction returns at once while the server still imports torch. Use it as a context manager: its end leaves no
    process and no folder behind. When this process dies, the server sees its socket closed, kills its children and goes
    too.

    Args:
        children: how many requests may run at the same time.
        python: the interpreter, by default the one that `SHAPEWRIGHT_PYTHON` names, else this one.
    """

    def __init__(self, *, children: int = 2, python: str | None = None) -> None:
        _sweep()
        self.folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        self._python = python or os.environ.get(VARIABLE) or sys.executable
        self._log = os.path.join(self.folder, "resident.log")
        self._channel, theirs = socket.socketpair()
        # Threads that spin for each other lose a whole time slice at every operator where others use the machine: eight
        # times the whole check.
        waiting = {"OMP_WAIT_POLICY": "PASSIVE"}
        environment = {
            **waiting,
            **os.environ,
            **VARIABLES,
            "PYTHONHASHSEED": "0",
            "TMPDIR": self.folder,
            "SHAPEWRIGHT_CHILDREN": str(children),
        }
        start = ELSEWHERE if foreign(self._python) else START
        source = start.format(root=PACKAGE_PARENT, channel=theirs.fileno(), folder=self.folder)
        try:
            with open(self._log, "wb") as log, theirs:
                self._process = subprocess.Popen(
                    [self._python, "-P", "-u", "-c", source],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                    env=environment,
                    close_fds=True,
                )
        except OSError:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self._tickets = 0
        self._prepared: dict[str, tuple[int, int]] = {}  # by script, the state of its file
        self._libraries: set[str] = set()
        self._sending = threading.Lock()
        self.known = Known()
        self._results: dict[int, Trace] = {}
        self._requests: dict[int, RunRequest] = {}
        self._early: dict[int, Early] = {}
        self._cells: dict[
            int, tuple[tuple[int, int], ...]
        ] = {}  # of notebooks: number and first line of each code cell

    def __enter__(self) -> Resident:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def preload(self, modules: Sequence[str]) -> None:
        """Have the server import `modules` (`module` or `module:name`) before its next fork, so that no child needs to.

        A failure to import is left to the child that meets it again."""
        self._send(("preload", tuple(modules)))

    def submit(self, request: RunRequest, parked: tuple[int, int] | None = None, early: Early | None = None) -> int:
        """Start a run; `result` of the returned ticket waits for it. `parked` is the ticket of a run that waits
        (`RunRequest.park`), with the number of the place from which this one goes on; its outcome is `unresumable`
        where that cannot be. `early` is told what happened before the probes are asked, within `result`."""
        self._tickets += 1
        self._requests[self._tickets] = request
        if early is not None:
            self._early[self._tickets] = early
        self._prepare(request)  # before it is filled: what was known of a script is forgotten where it changed
        filled = dataclasses.replace(
            self.known.filled(request),
            cwd=request.cwd or os.getcwd(),
            early=early is not None,
        )
        if request.script.endswith(".ipynb") and os.path.abspath(request.script) not in request.sources:
            from ..script.reading import read  # later than the start of the server, which is waited for

            notebook = read(request.script)
            if isinstance(notebook, Outcome):
                self._results[self._tickets] = Trace(request.script, notebook)
                return self._tickets
            filled = dataclasses.replace(
                filled, sources={os.path.abspath(request.script): notebook.text, **request.sources}
            )
            self._cells[self._tickets] = tuple((cell.number, cell.first_line) for cell in notebook.cells)
        self._send(("run", self._tickets, filled, parked))
        return self._tickets

    def _prepare(self, request: RunRequest) -> None:
        """Before a script's first run, and after it changed, have the libraries that it imports loaded once, for it and
        all that follow."""
        path = os.path.abspath(os.path.join(request.cwd, request.script))
        try:
            status = os.stat(path)
            state = (status.st_mtime_ns, status.st_size)
        except OSError:
            state = (0, 0)
        if self._prepared.get(path) != state:
            self._prepared[path] = state
            self.known.forget(request.script)
            from ..script.reading import library_names, read

            text = request.sources.get(path) or getattr(read(path), "text", "")
            names = [name for name in library_names(text, LIBRARIES) if name not in self._libraries]
            if names:
                self._libraries.update(names)
                self.preload(names)

    def result(self, ticket: int) -> Trace:
        """The trace of a submitted run; always a `Trace`, also where the process that ran it is gone."""
        while ticket not in self._results:
            try:
                kind, number, body, output = receive(self._channel)
            except (EOFError, OSError):
                self._results[ticket] = Trace(self._requests[ticket].script, self._gone())
                break
            if kind == "early":
                if number in self._early:
                    self._early[number](unpacked(body, self._requests[number].script))
            elif number in self._requests:
                trace = unpacked(body, self._requests[number].script)
                self._results[number] = dataclasses.replace(trace, output=output + trace.output) if output else trace
        self._requests.pop(ticket, None)
        self._early.pop(ticket, None)
        trace, cells = self._results.pop(ticket), self._cells.pop(ticket, None)
        return dataclasses.replace(trace, data=dataclasses.replace(trace.data, cells=cells)) if cells else trace

    def run(self, request: RunRequest, early: Early | None = None) -> Trace:
        """One run from start to end, in one world as to accelerators and as to data that are made up; `early` as for
        `submit`."""
        self._prepare(request)  # its first guess comes of what is known
        return self.known.run(self, request, early)

    def pair(self, request: RunRequest) -> tuple[Trace, Trace]:
        """The runs of rank 0 and of rank 1, which exchange what they send each other."""
        mark = os.urandom(8).hex()
        tickets = [self.submit(dataclasses.replace(request, rank=rank, pair=mark)) for rank in (0, 1)]
        return self.result(tickets[0]), self.result(tickets[1])

    def cancel(self, ticket: int) -> None:
        """End a submitted run whose result is no longer wanted."""
        self._send(("cancel", ticket, None))
        for kept in (self._requests, self._results, self._cells, self._early):
            kept.pop(ticket, None)

    def interrupt(self) -> None:
        """End all runs under way; their results say that they were interrupted. Any thread may ask for it."""
        self._send(("interrupt",))

    @property
    def alive(self) -> bool:
        """Whether the server still runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the server, its children and their folders."""
        self._channel.close()
        try:
            self._process.wait(CLOSING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _send(self, message: tuple) -> None:
        with self._sending, contextlib.suppress(OSError):  # the server is gone; `result` says so
            self._channel.sendall(packed(message))

    def _gone(self) -> Outcome:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(CLOSING)  # its socket closes a moment before it is gone
        status = self._process.returncode
        lines = [line for line in Path(self._log).read_text(errors="replace").splitlines() if line.strip()]
        last = lines[-1].strip() if lines else ""
        if "No module named 'torch'" in last:
            return Outcome("incomplete", "no-torch", {"python": self._python, "detail": last})
        return Outcome("incomplete", "crashed", {"detail": last or f"status {status}"})


def unpacked(body: bytes, script: str) -> Trace:
    """The trace in `body`, or one that says that it could not be read."""
    try:
        trace = PlainUnpickler(io.BytesIO(body)).load()
    except Exception as error:  # the bytes come from a process that ran the user's code
        return Trace(script, Outcome("incomplete", "crashed", {"detail": f"{type(error).__name__}: {error}"}))
    return (
        trace
        if isinstance(trace, Trace)
        else Trace(script, Outcome("incomplete", "crashed", {"detail": type(trace).__name__}))
    )


def _sweep() -> None:
    """Remove folders that killed processes of this user left behind."""
    base = tempfile.gettempdir()
    try:
        entries = [entry for entry in os.scandir(base) if entry.name.startswith(PREFIX)]
    except OSError:
        return
    for entry in entries:
        owner = entry.name[len(PREFIX) :].split("-")[0]
        try:
            if owner.isdigit() and entry.stat(follow_symlinks=False).st_uid == os.getuid() and not _alive(int(owner)):
                shutil.rmtree(entry.path, ignore_errors=True)
        except OSError:
            continue


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
