"""The time limit inside the child: first ask the main thread to end, then end without it.

A step that holds the interpreter's lock for ever is left to the resident process, which kills the child; then the line
comes from `faulthandler`, whose thread needs no lock.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from pathlib import Path
from time import sleep  # by name: a script may replace the module's
from types import FrameType

from ...trace import Site
from ..process.request import RunRequest
from ..process.strain import Clock
from .ending import Finish, timed_out
from .where import dumped_site, user_site

PATIENCE = 1.0  # seconds that a trace so far may take to be gathered
GRACE = 2.5  # seconds after the limit at which the resident process kills
DUMP = "last-lines.txt"
SHORT = 0.05  # seconds that are not waited for


def watch(request: RunRequest, scratch: Path, finish: Finish, forks: bool = False) -> None:
    """Start the watch over this process; `finish` hands over the trace so far and exits. `forks`: for a process that
    forks, or was forked by one; the thread of `faulthandler` would leave its lock behind, so a killed one does not tell
    its line."""
    main = threading.main_thread().ident
    dump = os.open(scratch / DUMP, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    faulthandler.enable(dump, all_threads=False)  # a crash in C code leaves its line there too
    clock = Clock(request.timeout)

    def told_after(seconds: float) -> None:
        if not forks:
            faulthandler.dump_traceback_later(seconds + PATIENCE, exit=False, file=dump)

    told_after(request.timeout)

    def late() -> None:
        sleep(request.timeout)
        while (left := clock.left()) > SHORT:
            told_after(left)
            sleep(left)
        frame: FrameType | None = sys._current_frames().get(main)
        finish(timed_out(request, user_site(frame) if frame else None))

    threading.Thread(target=late, name="shapewright-deadline", daemon=True).start()


def last_line(scratch: Path, request: RunRequest) -> Site | None:
    """Where a killed child was, from what `faulthandler` wrote."""
    try:
        return dumped_site((scratch / DUMP).read_text(errors="replace"), request.script)
    except OSError:
        return None
