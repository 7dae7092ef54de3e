"""Which line of the user's a thing happened at. It reads frames, not files."""

from __future__ import annotations

import functools
import os
import re
import sys
from types import CodeType, FrameType, FunctionType
from typing import TypeVar

from ...trace import Site
from ..script.sources import UserSources

DUMPED = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)$')
HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
STAND_INS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "stand_ins", "files") + os.sep
Called = TypeVar("Called", bound=FunctionType)
_sources: UserSources | None = None
_handing: set[CodeType] = set()


def follow(script: str) -> None:
    """Tell which script's files are the user's."""
    global _sources
    _sources = UserSources(script)
    is_user.cache_clear()


@functools.lru_cache(maxsize=4096)
def is_user(file: str) -> bool:
    """Whether a code object's file belongs to the user's project."""
    return _sources is not None and not file.startswith("<") and _sources.is_user(file)


def user_site(frame: FrameType | None = None) -> Site | None:
    """The innermost line of the user's at or above `frame` (default: the caller's); `None` where there is none."""
    frame = frame or sys._getframe(1)
    while frame is not None:
        if is_user(frame.f_code.co_filename):
            return Site(
                _sources.display(frame.f_code.co_filename), frame.f_lineno, 1, frame.f_lineno, 1, frame.f_code.co_name
            )
        frame = frame.f_back
    return None


def hands_on(function: Called) -> Called:
    """Marks a function of a stand-in that only hands on what the user's code asked for: it makes nothing up."""
    _handing.add(function.__code__)
    return function


def made_up(frame: FrameType | None) -> bool:
    """Whether a stand-in writes what it makes up; that is told of in words of its own."""
    ours = (HERE, "<frozen os>", os.__file__)
    while frame is not None and (frame.f_code.co_filename.startswith(ours) or frame.f_code in _handing):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(STAND_INS)


def dumped_site(text: str, script: str) -> Site | None:
    """The innermost user's line in a traceback dumped by `faulthandler`, main thread preferred."""
    sources = UserSources(script)
    found = None
    for line in text.splitlines():
        if line.startswith(("Thread ", "Current thread ")):
            found = None  # the main thread is dumped last
        match = DUMPED.match(line)
        if match and found is None and not match["file"].startswith("<") and sources.is_user(match["file"]):
            number = int(match["line"])
            found = Site(sources.display(match["file"]), number, 1, number, 1, match["function"])
    return found
