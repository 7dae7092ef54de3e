"""No network: a private one with nothing but itself where the kernel gives it, and the answers of an offline machine to
the script."""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Callable
from typing import Any

from .kernel import libc

NEW_NETWORK, NEW_USER = 0x40000000, 0x10000000
SET_FLAGS, UP_AND_RUNNING = 0x8914, 0x1 | 0x40
LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0", "::", "", None)

Tell = Callable[[str], None]


def isolate() -> bool:
    """Whether this process, still of one thread, now has a network of its own with a loopback interface only."""
    library = libc()
    if library is None:
        return False
    user, group = os.geteuid(), os.getegid()
    if library.unshare(ctypes.c_int(NEW_NETWORK)) != 0:
        if library.unshare(ctypes.c_int(NEW_NETWORK | NEW_USER)) != 0:
            return False
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            try:
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
            except OSError:
                pass
    try:
        import fcntl

        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            fcntl.ioctl(control, SET_FLAGS, struct.pack("16sh14x", b"lo", UP_AND_RUNNING))
    except OSError:
        pass
    return True


def handlers(tell: Tell, *, private: bool, scratch: str) -> dict[str, Callable[..., None]]:
    """Audit events of sockets to what is done about them. `private`: the loopback is this process's own and may be
    used."""

    def refuse(address: object, error: OSError) -> None:
        tell(_shown(address))
        raise error

    def connect(_: object, address: Any) -> None:
        if isinstance(address, (str, bytes)):
            if not os.fsdecode(address).startswith(scratch):
                refuse(address, ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED)))
        elif isinstance(address, tuple) and _local(address[0]):
            if not private:
                refuse(address, ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED)))
        else:
            refuse(address, OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH)))

    def bind(_: object, address: object) -> None:
        allowed = os.fsdecode(address).startswith(scratch) if isinstance(address, (str, bytes)) else private
        if not allowed:
            refuse(address, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))

    def look_up(host: Any, *_: object) -> None:
        host = host.decode(errors="replace") if isinstance(host, bytes) else host
        if not _local(host) and host != socket.gethostname() and not _numeric(host):
            refuse(host, socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"))

    def look_back(address: Any, *_: object) -> None:
        host = address[0] if isinstance(address, tuple) else address
        if not _local(host):
            refuse(host, socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"))

    return {
        "socket.connect": connect,
        "socket.sendto": connect,
        "socket.sendmsg": lambda _, address: address is not None and connect(_, address),
        "socket.bind": bind,
        "socket.getaddrinfo": look_up,
        "socket.gethostbyname": look_up,
        "socket.gethostbyaddr": look_back,
        "socket.getnameinfo": look_back,
    }


def _local(host: Any) -> bool:
    return host in LOCAL or (isinstance(host, str) and host.startswith("127."))


def _numeric(host: str) -> bool:
    return host.replace(".", "").isdigit() or ":" in host


def _shown(address: object) -> str:
    if isinstance(address, tuple) and len(address) >= 2:
        return f"{address[0]}:{address[1]}"
    return os.fsdecode(address) if isinstance(address, bytes) else str(address)
