"""Reads `train[:80%]`, `test[10:20]`, `train`."""

from __future__ import annotations


def split_rows(text: str, size: int) -> tuple[int, int]:
    """First row and the one after the last of a split's text.

    A span of a small stand-in may round to nothing: below two rows, all of them stay.

    >>> split_rows("train[:10%]", 200), split_rows("train[5000:6000]", 203)
    ((0, 20), (0, 203))
    """
    _, _, span = text.partition("[")
    low, _, high = span.rstrip("]").partition(":")

    def place(edge: str, default: int) -> int:
        if not edge:
            return default
        number = round(float(edge[:-1]) / 100 * size) if edge.endswith("%") else int(edge)
        return max(0, min(size, number + size if number < 0 else number))

    first, last = place(low, 0), place(high, size)
    return (first, last) if last - first >= 2 else (0, size)
