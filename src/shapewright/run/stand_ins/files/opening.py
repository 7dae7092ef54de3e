"""Absent files that the script opens, and addresses that it reads: answered with made-up content of their form."""

from __future__ import annotations

import builtins
import codecs
import contextlib
import csv
import functools
import io
import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from types import FrameType
from typing import Any

from ..checkpoints import OWN, fetched, prepared_at, stands_in
from ..context import Context, is_own_file, is_user_file, user_frame
from ..elsewhere import alike, parts_beside
from ..pickled import sealed
from .asked import Asked, of_form
from .contents import JSON, NOTHING, PICTURES, ending_of, made
from .documents import read_as
from .folders import suppose
from .observed import Stream, rows

MOVES = ((os, ("rename", "replace", "remove", "unlink")), (shutil, ("move", "copy", "copyfile", "copy2", "rmtree")))
# libraries through which a script opens a file of its own; what others look for is theirs
READERS = ("pathlib.py", "_abc.py", "_local.py", "codecs.py", "gzip.py", "zipfile.py", "tarfile.py", "wave.py")
UNAVAILABLE = 503
DIVIDING = frozenset({"split", "splitlines", "readline", "readlines", "strip", "rstrip", "loadtxt", "genfromtxt"})
DIVIDING |= {"reader", "DictReader", "read_csv"}
PICTURED = f"{os.sep}PIL{os.sep}"
PACKAGES = tuple(
    f"{os.sep}{name}{os.sep}" for name in ("PIL", "matplotlib", "skimage", "imageio", "scipy", "torchvision")
)


@contextlib.contextmanager
def opened(context: Context) -> Iterator[None]:
    """Answer for absent files and addresses while the body runs."""
    kept, kept_io, retrieve, fetch = builtins.open, io.open, urllib.request.urlretrieve, urllib.request.urlopen

    def open(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
        if isinstance(mode, str) and set(mode) <= set("rbtU") and stands_in(file, asking(sys._getframe(1))):
            form = "" if ending_of(file) else read_here()
            if asks_itself(sys._getframe(1)) and (other := alike(file, context.script, form)):
                context.note("file-alike", file=file, other=other)
                return kept(other, mode, *args, **options)
            if asks_itself(sys._getframe(1)) and (others := parts_beside(os.fsdecode(file))):
                context.made_up(file, others[0])
                stream = Opened(b"".join(map(_bytes, others)), os.fsdecode(file))
                return stream if "b" in mode else OpenedText(stream)
            pictured = ending_of(file) not in PICTURES and PICTURED in sys._getframe(1).f_code.co_filename
            content = made(file, context, ".jpg" if pictured else form)
            divided = not DIVIDING.isdisjoint(context.usage.called)
            if content is None and divided and "b" not in mode and asks_itself(sys._getframe(1)):  # text, by its use
                content = made(file, context, ".txt")
            if content is None and "b" in mode and (pickle := sealed(file, context.usage.readers)) is not None:
                return pickle
            if content is not None:
                context.made_up(file)
                told = context.guess.observes and ("b" not in mode or ending_of(file) in JSON)
                if told and isinstance(text := _text(content), str):
                    return Stream(text, os.fsdecode(file), _asked(os.fsdecode(file), context))
                stream = Opened(content, os.fsdecode(file))
                return stream if "b" in mode else OpenedText(stream)
        if isinstance(mode, str) and not set("wax").isdisjoint(mode):
            suppose(file, context)
            if (
                "w" in mode
                and is_user_file(sys._getframe(1).f_code.co_filename)
                and isinstance(file, (str, os.PathLike))
            ):
                context.ranks.wrote(os.fsdecode(file))
        return kept(file, mode, *args, **options)

    def urlretrieve(url: Any, filename: Any = None, *args: Any, **options: Any) -> Any:
        if not _fetched(url) or prepared_at(sys._getframe(1)):
            with refused(url):
                return retrieve(url, filename, *args, **options)
        return filename or os.path.basename(str(url)), None

    def urlopen(url: Any, *args: Any, **options: Any) -> Any:
        address = getattr(url, "full_url", url)
        answer = answered(address, context, sys._getframe(1))
        with refused(address):
            return fetch(url, *args, **options) if answer is None else answer

    def moving(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def move(*args: Any, **options: Any) -> Any:
            source, target = (*args, *(options.get(name) for name in ("src", "dst")[len(args) :]))[:2]
            if context.made is not None and stands_in(source, asking(sys._getframe(1))):
                return target  # what a made-up archive lacks is made up where it is read
            return original(*args, **options)

        return move

    moves = [(owner, name, getattr(owner, name)) for owner, names in MOVES for name in names]
    for owner, name, original in moves:
        setattr(owner, name, moving(original))
    builtins.open = io.open = functools.wraps(kept)(open)
    decoded, read_rows = codecs.open, csv.reader

    @functools.wraps(decoded)
    def open_decoded(filename: Any, mode: str = "r", encoding: Any = None, *args: Any, **options: Any) -> Any:
        if mode in ("r", "rU") and stands_in(filename, asking(sys._getframe(1))):
            return open(filename)
        return decoded(filename, mode, encoding, *args, **options)

    codecs.open, csv.reader = open_decoded, rows(read_rows)  # type: ignore[assignment]
    urllib.request.urlretrieve = functools.wraps(retrieve)(urlretrieve)
    urllib.request.urlopen = functools.wraps(fetch)(urlopen)
    try:
        yield
    finally:
        for owner, name, original in moves:
            setattr(owner, name, original)
        builtins.open, io.open = kept, kept_io
        codecs.open, csv.reader = decoded, read_rows  # type: ignore[assignment]
        urllib.request.urlretrieve, urllib.request.urlopen = retrieve, fetch


@contextlib.contextmanager
def refused(url: Any) -> Iterator[None]:
    """Where the body finds no network, raise what a script is prepared for that expects a page which is not there, as
    well as one that expects no network."""
    try:
        yield
    except urllib.error.HTTPError:
        raise
    except urllib.error.URLError as error:
        reason: Any = error.reason  # the error of the network, as a script reads it of a `URLError`
        raise urllib.error.HTTPError(str(url), UNAVAILABLE, reason, Message(), None) from error


def answered(url: Any, context: Context, frame: FrameType | None) -> Answer | None:
    """What an address answers that the user's code at `frame` asks for; `None` where the script goes on without."""
    if frame is None or not _fetched(url) or not is_own_file(frame.f_code.co_filename) or prepared_at(frame):
        return None
    content = made(url, context)
    if content is None:  # what it holds is made up where it is read from a file
        content = NOTHING
    context.made_up(url)
    fetched(content)
    return Answer(content, url)


class Opened(io.BytesIO):
    """A file that is not there, opened: who reads it as a whole (`np.loadtxt`) knows which it is."""

    def __init__(self, content: bytes, name: str) -> None:
        super().__init__(content)
        self.name = self.stands_for = name


class OpenedText(io.TextIOWrapper):
    """A text that is not there, opened."""

    def __init__(self, stream: Opened) -> None:
        super().__init__(stream, encoding="utf-8")
        self.stands_for = stream.stands_for


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

    def iter_content(self, chunk_size: int = 1, **_: object) -> Iterator[bytes]:
        """The content in pieces."""
        return iter(lambda: self.read(chunk_size or -1), b"")

    def close(self) -> None:
        """It may be asked again."""

    def raise_for_status(self) -> None:
        """It is there."""

    def info(self) -> dict[str, str]:
        """The headers."""
        return self.headers

    def getcode(self) -> int:
        """That it is there."""
        return self.status


def asks_itself(frame: FrameType) -> bool:
    """Whether the user's own code calls `open`, and no library for it."""
    while frame.f_back is not None and frame.f_code.co_filename.startswith(OWN):
        frame = frame.f_back
    return is_user_file(frame.f_code.co_filename)


def asking(frame: FrameType) -> FrameType:
    """The frame that asked a library to read a file."""
    while frame.f_back is not None and (
        os.path.basename(frame.f_code.co_filename) in READERS
        or any(package in frame.f_code.co_filename for package in PACKAGES)
    ):
        frame = frame.f_back
    return frame


def read_here() -> str:
    """The extension of a document as which the user's code reads what it opens here, empty where it does not."""
    from ...script.reading import Script, read

    frame = user_frame(sys._getframe(1))
    found = read(frame.f_code.co_filename) if frame is not None else None
    return read_as(found.text, frame.f_lineno) if frame is not None and isinstance(found, Script) else ""


def _asked(name: str, context: Context) -> Asked:
    """What is asked of a text, beside what is known of it."""
    return context.asked.setdefault(name, of_form(dict(context.guess.forms).get(name, "")) or Asked())


def _bytes(path: str) -> bytes:
    with io.FileIO(path) as file:
        return file.readall()


def _text(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _fetched(url: Any) -> bool:
    return isinstance(url, str) and url.partition("://")[0] in ("http", "https", "ftp")
