"""Pickled files that are not on this machine: what they held is unknown, as what a library gives that is not installed,
and takes the form that its use demands. It is told, and no evidence (`Context.loose`)."""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import os
import pickle
from collections.abc import Iterator
from typing import Any

from .context import Context
from .files.contents import ending_of
from .unknown import HELD, of_file

ENDINGS = frozenset({".pkl", ".pickle", ".p", ".pk", ".pck"})


class Sealed(io.BytesIO):
    """A pickled file that is not there, opened: only what unpickles it is answered."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.name = path

    def read(self, size: int | None = -1, /) -> bytes:
        """There is nothing to read."""
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.name)

    readline = readinto = read1 = read  # type: ignore[assignment]


def sealed(path: Any) -> Sealed | None:
    """The file at `path`, opened, where its name tells that it is pickled; `None` where it does not."""
    return Sealed(os.fsdecode(path)) if ending_of(path) in ENDINGS else None


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for what is unpickled from absent files while the body runs."""
    load = pickle.load
    HELD.clear()

    @functools.wraps(load)
    def load_file(file: Any, *args: Any, **options: Any) -> Any:
        file = getattr(file, "myfileobj", None) or file  # what a compressed one was opened as
        if not isinstance(file, Sealed):
            return load(file, *args, **options)
        context.made_up(file.name)
        context.loose = True
        return of_file(file.name)

    pickle.load = load_file
    try:
        yield
    finally:
        pickle.load = load
