"""Folders that are not on this machine, or empty, listed by the script: names of made-up files with the ending that the
script asks for."""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ..checkpoints import OWN, prepared_at
from ..context import Context, is_user_file
from .contents import JSON, PICTURES, TEXTS, ending_of

COUNT = 13
KNOWN = frozenset({*PICTURES, *JSON, *TEXTS, ".wav"}) - {"", ".html", ".md"}
SHOWN = frozenset({"imread", "read_image"})


@contextlib.contextmanager
def listings(context: Context) -> Iterator[None]:
    """Answer for listings of nothing while the body runs."""
    places = (
        (os, "listdir"),
        (glob, "glob"),
        (pathlib.Path, "glob"),
        (pathlib.Path, "rglob"),
        (pathlib.Path, "iterdir"),
    )
    kept = [getattr(owner, name) for owner, name in places]
    walk = os.walk

    for (owner, name), original in zip(places, kept):
        setattr(owner, name, _listed(original, context, pathlib.Path if owner is pathlib.Path else str, name))

    @functools.wraps(walk)
    def walked(top: Any, *args: Any, **options: Any) -> Iterator[Any]:
        found = list(walk(top, *args, **options)) if _asked(sys._getframe(1)) else None
        if found is None:
            yield from walk(top, *args, **options)
            return
        names = [] if any(files for _, _, files in found) else _names(top, "", context)
        yield from [(os.fspath(top), [], names)] if names else found

    os.walk = walked
    try:
        yield
    finally:
        os.walk = walk
        for (owner, name), original in zip(places, kept):
            setattr(owner, name, original)


def _listed(original: Callable[..., Any], context: Context, kind: Any, name: str) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(*args: Any, **options: Any) -> Any:
        if not _asked(sys._getframe(1)):
            return original(*args, **options)
        try:
            found = list(original(*args, **options))
        except FileNotFoundError:
            if not (names := _names(args[0] if args else ".", "", context)):
                raise
            found = []
        else:
            pattern = str(args[-1]) if args and "glob" in name else ""
            folder = os.path.dirname(pattern) if name == "glob" and kind is str else args[0] if args else "."
            if found or ("glob" not in name and os.path.exists(folder) and os.path.samefile(folder, os.getcwd())):
                return found
            names = _names(folder, pattern, context)
        folder = os.path.dirname(str(args[-1])) if kind is str and name == "glob" else args[0] if args else "."
        if name == "listdir":
            return found or names
        return [kind(os.path.join(folder, made)) for made in names]

    return call


def _asked(frame: Any) -> bool:
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN):  # another wrapper of ours
        frame = frame.f_back
    return is_user_file(frame.f_code.co_filename) and not prepared_at(frame)


def _names(folder: Any, pattern: str, context: Context) -> list[str]:
    """The names of files that a listing finds; none where nothing tells their form."""
    ending = ending_of(pattern)
    if "*" in os.path.dirname(pattern) and "**" not in pattern:
        return []
    if not ending:
        endings = [found for found in context.usage.endings if found in KNOWN]
        shown = SHOWN & context.usage.called or "Image.open" in context.user_text()
        ending = endings[0] if endings else ".jpg" if shown else ""
    if ending not in KNOWN:
        return []
    context.made_up(folder)
    return [f"{number:04d}{ending}" for number in range(COUNT)]
