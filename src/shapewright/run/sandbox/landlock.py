"""Landlock: the kernel refuses this process every change of the disk outside its scratch folder, also from C code.

Constants from linux/landlock.h (ABI 1 to 6). Reading is not restricted.
"""

from __future__ import annotations

import ctypes
import os

from .kernel import forgo_privileges, libc

CREATE, ADD_RULE, RESTRICT = 444, 445, 446
WRITE_FILE, REMOVE_DIR, REMOVE_FILE, MAKE = 1 << 1, 1 << 4, 1 << 5, sum(1 << bit for bit in range(6, 13))
REFER, TRUNCATE = 1 << 13, 1 << 14
BIND_TCP, CONNECT_TCP = 1, 2
SCOPE_SOCKETS, SCOPE_SIGNALS = 1, 2


class Ruleset(ctypes.Structure):
    """struct landlock_ruleset_attr"""

    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class Beneath(ctypes.Structure):
    """struct landlock_path_beneath_attr"""

    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def confine(folder: str, *, network: bool, emptied: str | None = None) -> bool:
    """Whether the kernel now refuses writes outside `folder`.

    Args:
        folder: where everything stays allowed.
        emptied: a folder below which empty folders may be removed.
        network: whether TCP on this process's network may stay (it is a private one).
    """
    library = libc()
    if library is None:
        return False
    abi = library.syscall(CREATE, None, 0, 1)
    if abi < 1:
        return False
    rights = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE | (REFER if abi >= 2 else 0) | (TRUNCATE if abi >= 3 else 0)
    rules = Ruleset(
        rights, 0 if network or abi < 4 else BIND_TCP | CONNECT_TCP, SCOPE_SOCKETS | SCOPE_SIGNALS if abi >= 6 else 0
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = library.syscall(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    try:
        files = WRITE_FILE | (TRUNCATE if abi >= 3 else 0)
        for path, allowed in (
            (folder, rights),
            (emptied or folder, REMOVE_DIR),
            ("/dev/null", files),
            ("/dev/zero", files),
            ("/dev/full", files),
        ):
            try:
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            rule = Beneath(allowed, place)
            library.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
            os.close(place)
        return forgo_privileges() and library.syscall(RESTRICT, ruleset, 0) == 0
    finally:
        os.close(ruleset)
