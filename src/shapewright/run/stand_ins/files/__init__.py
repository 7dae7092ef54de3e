"""Data files that are not on this machine, made up from how the script reads and uses them.

What is read tells the form (its extension, the function that reads it), what the script asks of it tells the content
(columns, separators, values that it compares with). Programs are not made up, settings only where a script goes
nowhere without. What cannot be known from the script (a width, whether labels begin at 0) is a `Guess`, which another
run may correct.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from ..context import Context
from .folders import saved
from .frames import tables
from .listed import listings
from .observed import records
from .opening import opened


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent data while the body runs."""
    observed = records() if context.guess.observes else contextlib.nullcontext()
    with observed, opened(context), saved(context), tables(context), listings(context):
        yield
