"""What the names of files tell of what they hold."""

from __future__ import annotations

import functools


@functools.lru_cache(maxsize=4096)
def alike(name: str) -> str:
    """The words of a name beside those that say whether what it names is learned from or held out: what two have alike
    is of one form.

    >>> alike("train/X_2.npy") == alike("val/X_2.npy"), alike("x.npy") == alike("y.npy")
    (True, False)
    """
    from ...lexicon import besides  # only where data are made up

    return besides(name, "training", "held_out")
