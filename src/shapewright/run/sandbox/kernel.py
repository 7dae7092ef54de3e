"""System calls without a Python function. Each is skipped silently where the system has none of it."""

from __future__ import annotations

import ctypes
import functools
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38


@functools.cache
def libc() -> ctypes.CDLL | None:
    """The C library, on Linux."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def prctl(option: int, *values: int) -> bool:
    """Whether the option could be set."""
    library = libc()
    arguments = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    return library is not None and library.prctl(ctypes.c_int(option), *arguments) == 0


def die_with_parent() -> bool:
    """Have the kernel kill this process when the one that forked it dies."""
    return prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def become_subreaper() -> bool:
    """Have orphaned descendants become children of this process, so that it can end them."""
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def forgo_privileges() -> bool:
    """Give up gaining rights, as Landlock and seccomp demand."""
    return prctl(PR_SET_NO_NEW_PRIVS, 1)
