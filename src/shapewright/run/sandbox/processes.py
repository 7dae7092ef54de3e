"""No other process: programs are taken to have run silently, workers run as threads, and a script's end of itself is
noted."""

from __future__ import annotations

import errno
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from ...trace import Outcome
from .ending import end, placed, signal_name
from .where import user_site

Tell = Callable[..., None]
SHOWN = 80
SAID = {"stty size": "24 80\n", "tput lines": "24\n", "tput cols": "80\n"}  # the terminal that `shutil` falls back to
QUIET = ("/platform.py", "/ctypes/util.py", "/uuid.py", "/sysconfig.py", "/_aix_support.py")
FATAL = {
    signal.SIGKILL,
    signal.SIGTERM,
    signal.SIGABRT,
    signal.SIGSEGV,
    signal.SIGINT,
    signal.SIGHUP,
    signal.SIGQUIT,
    signal.SIGBUS,
    signal.SIGFPE,
    signal.SIGILL,
    signal.SIGSTOP,
    signal.SIGTSTP,
}


def install(tell: Tell) -> None:
    """Replace what starts processes or ends this one."""
    subprocess.Popen = _popen(tell)  # type: ignore[misc]
    os.system = lambda command: _ran(tell, command, True) and 0  # type: ignore[assignment, misc]
    os._exit = lambda status=0: end(  # type: ignore[assignment]
        placed("exited", user_site(sys._getframe(1)), status=str(status))
    )
    os.abort = lambda: end(placed("aborted", user_site(sys._getframe(1))))  # type: ignore[assignment]
    os.kill = _kill(tell, os.kill, {os.getpid(), 0, -os.getpgrp()})
    os.killpg = _kill(tell, os.killpg, {os.getpgrp(), 0})
    signal.raise_signal = _raise(signal.raise_signal)
    for name in ("fork", "forkpty"):
        setattr(os, name, lambda name=name: refuse(tell, f"os.{name}"))


def refuse(tell: Tell, action: str) -> None:
    """Note and raise for a process that cannot even seemingly be started."""
    tell("device-refused", action=action)
    raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))


def _command(command: Any) -> str:
    if isinstance(command, (str, bytes)):
        text = os.fsdecode(command)
    elif isinstance(command, os.PathLike):
        text = os.fspath(command)
    else:
        text = shlex.join(os.fsdecode(part) for part in command)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _ran(tell: Tell, command: Any, shell: bool) -> bool:
    """Note a program that was not run. Folders made or removed by the shell are made or removed in the script's
    view."""
    if not _asked_by_the_library():
        tell("process-refused", command=_command(command))
    try:
        words = (
            shlex.split(os.fsdecode(command))
            if isinstance(command, (str, bytes))
            else [os.fsdecode(part) for part in command]
        )
    except (ValueError, TypeError):
        return True
    names = [word for word in words[1:] if not word.startswith("-")]
    if words and not any(sign in word for word in words for sign in ";&|<>*?$`"):
        if words[0] == "mkdir":
            for name in names:
                os.makedirs(os.path.expanduser(name), exist_ok=True)
        elif words[0] == "touch":
            for name in names:
                open(os.path.expanduser(name), "a").close()
        elif words[0] == "rm":
            for name in names:
                name = os.path.expanduser(name)
                if os.path.isdir(name):
                    shutil.rmtree(name, ignore_errors=True)
                elif os.path.exists(name):
                    os.remove(name)
    return True


def _asked_by_the_library() -> bool:
    """Whether Python's own modules only wanted to know the machine; that is not worth telling."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.endswith(("subprocess.py", "sandbox/processes.py", "/os.py")):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.endswith(QUIET)


def _popen(tell: Tell) -> type:
    class Popen:
        """A program that has ended at once, successfully and, but for what it says of the terminal, silently."""

        def __init__(
            self,
            args: Any,
            bufsize: int = -1,
            executable: Any = None,
            stdin: Any = None,
            stdout: Any = None,
            stderr: Any = None,
            preexec_fn: Any = None,
            close_fds: bool = True,
            shell: bool = False,
            cwd: Any = None,
            env: Any = None,
            universal_newlines: bool | None = None,
            *_: object,
            text: bool | None = None,
            encoding: str | None = None,
            errors: str | None = None,
            **__: object,
        ) -> None:
            self.args = args
            if not shell:
                first = args if isinstance(args, (str, bytes, os.PathLike)) else next(iter(args))
                program = os.fsdecode(executable or first)
                if shutil.which(program) is None:
                    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
            self.said = SAID.get(_command(args), "")
            if not self.said:
                _ran(tell, args, shell)
            self.text_mode = bool(universal_newlines or text or encoding or errors)
            self.encoding, self.errors = encoding, errors
            self.pid, self.returncode = os.getpid(), 0
            self.stdin = self._stream() if stdin == subprocess.PIPE else None
            self.stdout = self._stream(self.said) if stdout == subprocess.PIPE else None
            self.stderr = self._stream() if stderr == subprocess.PIPE else None

        def __class_getitem__(cls, _: object) -> type:
            return cls

        def _stream(self, text: str = "") -> Any:
            held = io.BytesIO(text.encode())
            return io.TextIOWrapper(held) if self.text_mode else held

        def communicate(self, input: object = None, timeout: float | None = None) -> tuple[Any, Any]:
            said, nothing = (text if self.text_mode else text.encode() for text in (self.said, ""))
            return (said if self.stdout is not None else None, nothing if self.stderr is not None else None)

        def wait(self, timeout: float | None = None) -> int:
            return 0

        def poll(self) -> int:
            return 0

        def send_signal(self, sig: int) -> None:
            """It has ended already."""

        def terminate(self) -> None:
            """It has ended already."""

        kill = terminate

        def __enter__(self) -> Popen:
            return self

        def __exit__(self, *_: object) -> None:
            """Nothing is open."""

    return Popen


def _kill(tell: Tell, original: Callable[[int, int], None], own: set[int]) -> Callable[[int, int], None]:
    def kill(pid: int, sig: int, /) -> None:
        if pid not in own and pid != -1:
            if sig == 0:
                return original(pid, 0)
            tell("signal-refused", pid=str(pid), signal=signal_name(int(sig)))
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        _to_itself(sig)
        return original(os.getpid() if pid == -1 else pid, sig)

    return kill


def _raise(original: Callable[[int], None]) -> Callable[[int], None]:
    def raise_signal(signalnum: int, /) -> None:
        _to_itself(signalnum)
        original(signalnum)

    return raise_signal


def _to_itself(number: int) -> None:
    """End the run where the signal, sent to itself, would end or stop the script."""
    if number in FATAL and (number in (signal.SIGKILL, signal.SIGSTOP) or signal.getsignal(number) == signal.SIG_DFL):
        end(_killed(number))


def _killed(number: int) -> Outcome:
    return placed("killed", user_site(sys._getframe(3)), signal=signal_name(int(number)))
