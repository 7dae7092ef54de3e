"""Notes the folders that the user's code lists and finds nothing in: what is read from them later is missing from this
machine, not from the script."""

from __future__ import annotations

import contextlib
import functools
import glob
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...trace import Site
from .context import is_user_file

MOST = 64


class Listings:
    """Watches `os.listdir`, `os.walk`, `glob` and `Path.glob` for the duration of a run.

    Args:
        place: gives the user's line that is running.
    """

    def __init__(self, place: Callable[[], Site | None]) -> None:
        self.place = place
        self.empty: list[tuple[str, Site | None]] = []

    def note(self, what: object, site: Site | None) -> None:
        """A listing of `what` gave nothing."""
        if len(self.empty) < MOST:
            self.empty.append((os.fsdecode(what) if isinstance(what, (str, bytes, os.PathLike)) else str(what), site))

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """Watch while the body runs."""
        places = [
            (os, "listdir", False),
            (glob, "glob", False),
            (os, "walk", True),
            (glob, "iglob", True),
            (pathlib.Path, "glob", True),
            (pathlib.Path, "rglob", True),
            (pathlib.Path, "iterdir", True),
        ]
        kept = [getattr(owner, name) for owner, name, _ in places]
        for (owner, name, lazy), original in zip(places, kept):
            setattr(owner, name, self._lazy(original, owner is pathlib.Path) if lazy else self._listed(original))
        try:
            yield
        finally:
            for (owner, name, _), original in zip(places, kept):
                setattr(owner, name, original)

    def _listed(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(*args: Any, **options: Any) -> Any:
            found = original(*args, **options)
            if not found and is_user_file(sys._getframe(1).f_code.co_filename):
                self.note(args[0] if args else ".", self.place())
            return found

        return call

    def _lazy(self, original: Callable[..., Any], method: bool) -> Callable[..., Any]:
        @functools.wraps(original)
        def call(*args: Any, **options: Any) -> Any:
            if not is_user_file(sys._getframe(1).f_code.co_filename):
                return original(*args, **options)
            what = args[0] / str(args[1]) if method and len(args) > 1 else args[0] if args else "."
            return self._counted(original(*args, **options), what, self.place())

        return call

    def _counted(self, items: Any, what: Any, site: Site | None) -> Iterator[Any]:
        count = 0
        for count, item in enumerate(items, 1):  # noqa: B007 (it is read below)
            yield item
        if not count:
            self.note(what, site)
