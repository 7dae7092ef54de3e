"""The last line of defence inside Python: an audit hook that refuses what the friendlier replacements have not caught.

A hook cannot be taken off again, so it is only added in the forked child.
"""

from __future__ import annotations

import errno
import os
import posix
import sys
from collections.abc import Callable
from typing import Any

from .overlay import DEVICES

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
Tell = Callable[[str, str], None]
ONE_PATH = (
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.chmod",
    "os.chown",
    "os.utime",
    "os.truncate",
    "os.setxattr",
    "os.removexattr",
    "os.chflags",
)
PROCESSES = (
    "os.fork",
    "os.forkpty",
    "pty.spawn",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.startfile",
    "subprocess.Popen",
)


def install(
    scratch: str, more: dict[str, Callable[..., None]], tell: Tell, refuse_process: Callable[[str, tuple], None]
) -> None:
    """Watch this process.

    Args:
        scratch: the only folder that may be changed.
        more: further events to what is done about them (sockets, signals).
        tell: notes a refusal: the action and the path.
        refuse_process: notes and raises for an attempt to start a process.
    """

    def inside(path: Any) -> bool:
        if isinstance(path, int) or path is None:
            return True
        text = os.path.normpath(os.path.join(posix.getcwd(), os.fsdecode(path)))
        return text.startswith(scratch + "/") or text in DEVICES or text.startswith("/dev/fd/") or text == scratch

    def check(action: str, *paths: Any) -> None:
        for path in paths:
            if not inside(path):
                tell(action, os.fsdecode(path))
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    def opened(path: object, _: object, flags: Any) -> None:
        if isinstance(flags, int) and flags & WRITING:
            check("open", path)

    def one(action: str) -> Callable[..., None]:
        return lambda path, *_: check(action, path)

    handlers: dict[str, Callable[..., Any]] = {name: one(name) for name in ONE_PATH}
    handlers |= {
        "open": opened,
        "os.rename": lambda old, new, *_: check("os.rename", old, new),
        "os.link": lambda old, new, *_: check("os.link", new),
        "os.symlink": lambda old, new, *_: check("os.symlink", new),
        "shutil.rmtree": lambda *_: None,
        "sqlite3.connect": lambda path, *_: check("sqlite3.connect", *(() if _in_memory(path) else (path,))),
    }
    handlers |= {name: (lambda *given, name=name: refuse_process(name, given)) for name in PROCESSES}
    handlers |= more

    def hook(event: str, given: tuple[object, ...]) -> None:
        handler = handlers.get(event)
        if handler is not None:
            handler(*given)

    sys.addaudithook(hook)


def _in_memory(path: Any) -> bool:
    return os.fsdecode(path) in (":memory:", "") or os.fsdecode(path).startswith("file:")
