"""Absent files that the script opens, and addresses that it reads: answered with made-up content of their form."""

from __future__ import annotations

import builtins
import contextlib
import functools
import io
import os
import sys
import urllib.request
from collections.abc import Iterator
from types import FrameType
from typing import Any

from ..checkpoints import prepared_at, stands_in
from ..context import Context, is_user_file
from .contents import made

# libraries through which a script opens a file of its own; what others look for is theirs
READERS = ("pathlib.py", "_abc.py", "_local.py", "codecs.py", "gzip.py", "zipfile.py", "tarfile.py", "wave.py")
PACKAGES = tuple(
    f"{os.sep}{name}{os.sep}" for name in ("PIL", "matplotlib", "skimage", "imageio", "scipy", "torchvision")
)


@contextlib.contextmanager
def opened(context: Context) -> Iterator[None]:
    """Answer for absent files and addresses while the body runs."""
    kept, kept_io, retrieve, fetch = builtins.open, io.open, urllib.request.urlretrieve, urllib.request.urlopen

    def open(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if isinstance(mode, str) and set(mode) <= set("rbtU") and stands_in(file, asking(sys._getframe(1))):
            content = made(file, context.usage, context.guess)
            if content is not None:
                context.made_up(file)
                stream = io.BytesIO(content)
                return stream if "b" in mode else io.TextIOWrapper(stream, encoding="utf-8")
        return kept(file, mode, *args, **options)

    def urlretrieve(url: Any, filename: Any = None, *args: Any, **options: Any) -> Any:
        if not _fetched(url) or made(str(url), context.usage, context.guess) is None:
            return retrieve(url, filename, *args, **options)
        return filename or os.path.basename(str(url)), None

    def urlopen(url: Any, *args: Any, **options: Any) -> Any:
        address = getattr(url, "full_url", url)
        content = made(address, context.usage, context.guess) if _fetched(address) else None
        frame = sys._getframe(1)
        if content is None or not is_user_file(frame.f_code.co_filename) or prepared_at(frame):
            return fetch(url, *args, **options)
        context.made_up(address)
        return Answer(content, address)

    builtins.open = io.open = functools.wraps(kept)(open)
    urllib.request.urlretrieve = functools.wraps(retrieve)(urlretrieve)
    urllib.request.urlopen = functools.wraps(fetch)(urlopen)
    try:
        yield
    finally:
        builtins.open, io.open = kept, kept_io
        urllib.request.urlretrieve, urllib.request.urlopen = retrieve, fetch


class Answer(io.BytesIO):
    """What an address answers, as `urllib` and `requests` give it."""

    status = status_code = code = 200
    ok = True
    reason = "OK"

    def __init__(self, content: bytes, url: str) -> None:
        super().__init__(content)
        self.content, self.url = content, url
        self.headers = {"Content-Length": str(len(content)), "content-length": str(len(content))}
        self.encoding, self.raw = "utf-8", self

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """The content as JSON."""
        import json

        return json.loads(self.content)

    def iter_content(self, chunk_size: int = 1, **_: Any) -> Iterator[bytes]:
        """The content in pieces."""
        return iter(lambda: self.read(chunk_size or -1), b"")

    def raise_for_status(self) -> None:
        """It is there."""

    def info(self) -> dict[str, str]:
        """The headers."""
        return self.headers

    def getcode(self) -> int:
        """That it is there."""
        return self.status


def asking(frame: FrameType) -> FrameType:
    """The frame that asked a library to read a file."""
    while frame.f_back is not None and (
        os.path.basename(frame.f_code.co_filename) in READERS
        or any(package in frame.f_code.co_filename for package in PACKAGES)
    ):
        frame = frame.f_back
    return frame


def _fetched(url: Any) -> bool:
    return isinstance(url, str) and url.partition("://")[0] in ("http", "https", "ftp")
