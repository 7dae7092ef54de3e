"""Keeps the memory that children free instead of giving it back to the system: a tensor of 150 MB that is made in every
step would have its pages fetched and cleared again each time, which costs more than the arithmetic (GPT-2's embedding:
80 ms a backward pass against 8 ms)."""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, TOP_PAD, MMAP_MAX = -1, -2, -4  # malloc.h
NEVER = 2**31 - 1


def keep_freed() -> bool:
    """Have glibc's allocator take large blocks from the heap and keep what is freed; whether it is glibc's. Forked
    processes inherit it."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return False
    return all(mallopt(option, value) for option, value in ((MMAP_MAX, 0), (TRIM_THRESHOLD, NEVER), (TOP_PAD, 1 << 20)))
