"""Folders that are not on this machine, or empty, listed by the script: made-up files with the ending that the script
asks for are put there, in the sandbox's view alone."""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pathlib
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...sandbox.files import made_by_script
from ..checkpoints import OWN, prepared_at
from ..context import Context, is_own_file
from ..elsewhere import sought
from .contents import JSON, PICTURES, TEXTS, ending_of, made

COUNT = 13
VIDEOS = (".mp4", ".webm", ".avi")  # empty ones: what an environment would have recorded, to be shown at the end
KNOWN = frozenset({*PICTURES, *JSON, *TEXTS, *VIDEOS, ".wav"}) - {"", ".html", ".md"}
WILD = re.compile(r"[*?\[]")


@contextlib.contextmanager
def listings(context: Context) -> Iterator[None]:
    """Answer for listings of nothing while the body runs."""
    if not hasattr(os.mkdir, "__wrapped__"):  # nothing is written outside the sandbox's view
        yield
        return
    path = pathlib.Path
    places = ((os, "listdir"), (os, "walk"), (glob, "glob"), (path, "glob"), (path, "rglob"), (path, "iterdir"))
    kept = [getattr(owner, name) for owner, name in places]
    for (owner, name), original in zip(places, kept):
        setattr(owner, name, _listed(original, context, "glob" in name, owner is glob))
    try:
        yield
    finally:
        for (owner, name), original in zip(places, kept):
            setattr(owner, name, original)


def _listed(original: Callable[..., Any], context: Context, patterned: bool, whole: bool) -> Callable[..., Any]:
    """A listing that is tried again after files were made. `whole`: its only argument is folder and pattern in one."""

    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if not _asked(sys._getframe(1)):
            return original(*args, **options)
        refused: OSError | None = None
        try:
            found = original(*args, **options)
            found = found if isinstance(found, list) else list(found)
        except OSError as error:
            if args and isinstance(args[0], (str, os.PathLike)):
                sought(args[0])
            found, refused = [], error
        named = [name for _, _, files in found for name in files] if original.__name__ == "walk" else found
        holds = [name for name in named if not os.path.basename(name).startswith(".")]
        folder, pattern = _split(str(args[-1]) if patterned else "", "" if whole or not args else args[0])
        own = made_by_script(folder) and not context.made  # such a folder is empty until something was fetched
        if not holds and not own and _filled(folder, pattern, context):
            return original(*args, **options)
        if refused is not None:
            raise refused
        return found if whole or not patterned else iter(found)

    return call


def _split(pattern: str, folder: Any) -> tuple[str, str]:
    """The folder without wildcards, and the pattern of the names in it."""
    parts = os.path.join(os.fspath(folder), pattern).split(os.sep) if pattern else [os.fspath(folder), ""]
    first = next((index for index, part in enumerate(parts) if WILD.search(part)), len(parts) - 1)
    return os.sep.join(parts[:first]) or (os.sep if parts[0] == "" and first else "."), parts[-1]


def _asked(frame: Any) -> bool:
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN):  # another wrapper of ours
        frame = frame.f_back
    return is_own_file(frame.f_code.co_filename) and not prepared_at(frame)


def _filled(folder: str, pattern: str, context: Context) -> bool:
    """Whether files were put into a folder; none are where nothing tells their form, or it is the working folder."""
    ending = ending_of(pattern)
    if WILD.search(ending) or not ending:
        endings = [found for found in context.usage.endings if found in KNOWN]
        texts = ".txt" if "read" in context.usage.called and not pattern and not os.path.exists(folder) else ""
        ending = endings[0] if endings else ".jpg" if context.pictures else texts
    if ending not in KNOWN or os.path.abspath(folder) == os.getcwd():
        return False
    content = made(f"_{ending}", context.usage, context.guess) or b""
    stem = os.path.splitext(pattern)[0] or "*"
    if "?" in stem or "[" in stem:
        return False
    context.made_up(folder)
    os.makedirs(folder, exist_ok=True)
    for number in range(COUNT if "*" in stem else 1):
        with open(os.path.join(folder, stem.replace("**", "*").replace("*", f"{number:04d}") + ending), "wb") as file:
            file.write(content)
    return True
