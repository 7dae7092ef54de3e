"""Keeps the memory that children free instead of giving it back to the system: a tensor of 150 MB that is made in every
step would have its pages fetched and cleared again each time, which costs more than the arithmetic (GPT-2's embedding:
80 ms a backward pass against 8 ms). What a process holds that forks often is gathered into large pages: a fork copies
the table of its pages (6 ms for those of torch, 1 ms then, and as much again at the child's end)."""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, TOP_PAD, MMAP_MAX = -1, -2, -4  # malloc.h
NEVER = 2**31 - 1
COLLAPSE = 25  # mman.h, Linux 6.1
LARGE = 2 << 20  # bytes of a large page


def keep_freed() -> bool:
    """Have glibc's allocator take large blocks from the heap and keep what is freed; whether it is glibc's. Forked
    processes inherit it."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return all(mallopt(option, value) for option, value in ((MMAP_MAX, 0), (TRIM_THRESHOLD, NEVER), (TOP_PAD, 1 << 20)))


def gather() -> int:
    """Have the kernel hold this process's own memory in large pages; how many it made, none where it makes none. It
    takes a third of a second, as thirty forks save."""
    try:
        madvise = ctypes.CDLL(None).madvise
        with open("/proc/self/maps") as maps:
            spans = [line.split() for line in maps]
    except (OSError, AttributeError):  # another system
        return 0
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    made = 0
    for span, rights, *_, name in (part if len(part) > 5 else [*part, ""] for part in spans):
        if rights == "rw-p" and name in ("", "[heap]"):
            first, end = (int(bound, 16) for bound in span.split("-"))
            pages = range(-(-first // LARGE) * LARGE, end - LARGE + 1, LARGE)
            made += sum(madvise(page, LARGE, COLLAPSE) == 0 for page in pages)
    return made
