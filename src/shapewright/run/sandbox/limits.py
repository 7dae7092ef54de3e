"""Bounds on memory, processor time and file size of the child, and recognizing that memory ran out."""

from __future__ import annotations

import contextlib
import math
import os
import resource
from pathlib import Path

from ...trace import Trace
from ..process.request import RunRequest
from .ending import placed

FILE_SIZE = 8 << 30
SIGNS = (
    "can't allocate memory",
    "not enough memory",
    "cannot allocate memory",
    "bad_alloc",
    "unable to allocate",
    "storage size calculation overflowed",
    "unable to mmap",
)


def bound(request: RunRequest) -> None:
    """Set this process's limits. Memory counts from what the process holds already."""
    allowed = allowance(request)
    held = _private_bytes()
    _lower(resource.RLIMIT_DATA, held + allowed)
    cores = os.cpu_count() or 1
    _lower(resource.RLIMIT_CPU, math.ceil((request.timeout + 10) * cores))
    _lower(resource.RLIMIT_FSIZE, FILE_SIZE)
    _lower(resource.RLIMIT_CORE, 0)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def allowance(request: RunRequest) -> int:
    """Bytes that the child may allocate: what was asked for, but no more than nine tenths of what the machine has
    left."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return min(request.memory, int(line.split()[1]) * 1024 * 9 // 10)
    except (OSError, ValueError):
        pass
    return request.memory


def human(count: int) -> str:
    """Bytes as `8.0 GiB`."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"


def out_of_memory(kind: str, message: str) -> bool:
    """Whether an exception's kind and text say that memory ran out."""
    return kind in ("MemoryError", "_ArrayMemoryError", "OutOfMemoryError") or (
        kind in ("RuntimeError", "OSError") and any(sign in message.lower() for sign in SIGNS)
    )


def told_of_memory(trace: Trace, request: RunRequest) -> Trace:
    """The trace with its outcome set to `memory` where the script ended because memory ran out."""
    import dataclasses

    failure = trace.failure
    if failure is None or not out_of_memory(failure.kind, failure.message):
        return trace
    return dataclasses.replace(trace, outcome=placed("memory", failure.site, limit=human(allowance(request))))


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(which, (value, value))


def _private_bytes() -> int:
    """What RLIMIT_DATA counts of this process now."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
