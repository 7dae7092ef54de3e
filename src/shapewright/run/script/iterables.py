"""What a loop goes through: how long it is, what it is made of, and its last item. It cuts nothing."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable, Iterator
from typing import Any

DRAIN_SECONDS = 0.25
DRAIN_ITEMS = 20_000


def drain(iterator: Iterator) -> tuple[int, Any]:
    """Use up an iterator within a time limit: how many items came, and the last of them."""
    until, last, count = time.monotonic() + DRAIN_SECONDS, None, 0
    for last in iterator:  # noqa: B007 (it is returned)
        count += 1
        if count > DRAIN_ITEMS or time.monotonic() > until:
            break
    return count, last


def length(source: Any) -> int:
    try:
        return len(source)
    except TypeError:
        return 1000


def zipped(source: Any) -> int:
    """How many places a `zip` of things of known length has; -1 of anything else."""
    return min((operator.length_hint(part, -1) for part in parts(source)), default=-1)


def parts(source: Any) -> tuple[Any, ...]:
    """What a `zip` reads."""
    return source.__reduce__()[1] if type(source) is zip else ()


def unwrap(iterable: Iterable) -> Iterable:
    """A progress bar answers for what it wraps, so that a range behind it can jump."""
    while (
        type(iterable).__name__ in ("tqdm", "tqdm_asyncio", "tqdm_notebook")
        and getattr(iterable, "iterable", None) is not None
    ):
        iterable = iterable.iterable
    return iterable
