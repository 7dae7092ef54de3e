"""Text files that tutorials read and that are not on this machine: made-up English, or made-up names a line, in a form
that the real file has.

Only files known by their names are answered for (and what the script downloads from an address that ends in one of
them): what another file holds is not guessed.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import io
import os
import random
import sys
import urllib.request
from collections.abc import Iterator
from typing import Any

from .checkpoints import stands_in
from .context import Context
from .sets.rows import sentence

PROSE = frozenset(
    {
        "input.txt",
        "shakespeare.txt",
        "shakespear.txt",
        "tinyshakespeare.txt",
        "tiny_shakespeare.txt",
        "tiny-shakespeare.txt",
        "the-verdict.txt",
        "wonderland.txt",
        "alice.txt",
        "alice_in_wonderland.txt",
        "anna.txt",
        "nietzsche.txt",
        "timemachine.txt",
        "sherlock.txt",
    }
)
NAMES = frozenset({"names.txt"})
SENTENCES, LINES = 1500, 2000


def known(path: Any) -> bool:
    """Whether a path or an address ends in the name of a well-known text."""
    return isinstance(path, (str, os.PathLike)) and os.path.basename(os.fspath(path)).lower() in PROSE | NAMES


@functools.cache
def text(name: str) -> str:
    """The made-up text for a file of this name."""
    chance = random.Random(0)
    if name.lower() in NAMES:
        words = sentence(chance, LINES, LINES).lower().replace(".", "").split()
        return "\n".join(word for word in words if word.isalpha()) + "\n"
    return "\n\n".join(f"{sentence(chance, 1, 1)[:-1]}:\n{sentence(chance, 6, 24)}" for _ in range(SENTENCES)) + "\n"


@contextlib.contextmanager
def active(context: Context) -> Iterator[None]:
    """Answer for absent well-known texts while the body runs."""
    kept, kept_io, retrieve, fetched = builtins.open, io.open, urllib.request.urlretrieve, {}

    def read(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        name = fetched.get(os.fspath(file)) if isinstance(file, (str, os.PathLike)) else None
        if set(mode) <= set("rbt") and (name or known(file)) and stands_in(file, _past_pathlib(sys._getframe(1))):
            context.note("stand-in-text", file=file)
            made = text(name or os.path.basename(os.fspath(file)))
            return io.BytesIO(made.encode()) if "b" in mode else io.StringIO(made)
        return kept(file, mode, *args, **options)

    def urlretrieve(url: Any, filename: Any = None, *args: Any, **options: Any) -> Any:
        if not known(url):
            return retrieve(url, filename, *args, **options)
        name = os.path.basename(str(url))
        fetched[os.fspath(filename or name)] = name
        return filename or name, None

    builtins.open = io.open = functools.wraps(kept)(read)
    urllib.request.urlretrieve = functools.wraps(retrieve)(urlretrieve)
    try:
        yield
    finally:
        builtins.open, io.open, urllib.request.urlretrieve = kept, kept_io, retrieve


def _past_pathlib(frame: Any) -> Any:
    """The frame that asked `pathlib` to read."""
    while frame.f_back is not None and os.path.basename(frame.f_code.co_filename) in (
        "pathlib.py",
        "_abc.py",
        "_local.py",
    ):
        frame = frame.f_back
    return frame
