"""A system-call filter: no new process, no other program, no foreign memory; threads stay possible.

Numbers from the kernel's tables for x86-64 and AArch64; elsewhere nothing is filtered.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

from .kernel import forgo_privileges, libc

LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
THREAD = 0x00010000  # CLONE_THREAD
MODE_FILTER, PR_SET_SECCOMP = 2, 22
# architecture, clone, clone3, socket, refused
TABLES = {
    "x86_64": (
        0xC000003E,
        56,
        435,
        41,
        {
            57: errno.EAGAIN,
            58: errno.EAGAIN,
            59: errno.EACCES,
            322: errno.EACCES,
            101: errno.EPERM,
            311: errno.EPERM,
            165: errno.EPERM,
            166: errno.EPERM,
            169: errno.EPERM,
        },
    ),
    "aarch64": (
        0xC00000B7,
        220,
        435,
        198,
        {
            221: errno.EACCES,
            281: errno.EACCES,
            117: errno.EPERM,
            271: errno.EPERM,
            40: errno.EPERM,
            39: errno.EPERM,
            142: errno.EPERM,
        },
    ),
}
INTERNET = (2, 10)


class Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def program(machine: str, *, network: bool, forks: bool = False) -> bytes | None:
    """The filter's instructions for a machine; `network` leaves internet sockets alone, `forks` new processes that run
    no other program."""
    if machine not in TABLES:
        return None
    architecture, clone, clone3, socket, refused = TABLES[machine]
    steps = [_step(LOAD, ARCHITECTURE), _step(EQUAL, architecture, 1, 0), _step(RETURN, ALLOW), _step(LOAD, NUMBER)]
    for number, error in refused.items():
        if forks and error == errno.EAGAIN:
            continue
        steps += [_step(EQUAL, number, 0, 1), _step(RETURN, ERRNO | error)]
    steps += [_step(EQUAL, clone3, 0, 1), _step(RETURN, ERRNO | errno.ENOSYS)]
    if not network:
        steps += [
            _step(EQUAL, socket, 0, 5),
            _step(LOAD, FIRST_ARGUMENT),
            _step(EQUAL, INTERNET[0], 1, 0),
            _step(EQUAL, INTERNET[1], 0, 1),
            _step(RETURN, ERRNO | errno.EACCES),
            _step(RETURN, ALLOW),
        ]
    if forks:
        return b"".join([*steps, _step(RETURN, ALLOW)])
    steps += [
        _step(EQUAL, clone, 0, 3),
        _step(LOAD, FIRST_ARGUMENT),
        _step(ANY_BIT, THREAD, 1, 0),
        _step(RETURN, ERRNO | errno.EAGAIN),
        _step(RETURN, ALLOW),
    ]
    return b"".join(steps)


def filter_calls(*, network: bool, forks: bool = False) -> bool:
    """Whether the filter is in force for this thread and those that it will start. Of two filters the stricter answer
    counts."""
    library = libc()
    code = program(platform.machine() if library is not None else "", network=network, forks=forks)
    if library is None or code is None or not forgo_privileges():
        return False
    buffer = ctypes.create_string_buffer(code, len(code))
    rules = Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_char_p))
    return library.prctl(PR_SET_SECCOMP, ctypes.c_ulong(MODE_FILTER), ctypes.byref(rules), 0, 0) == 0
