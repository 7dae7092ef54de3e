"""What is known of the exception that ended a run: its place, the failing call, the module that was being called."""

from __future__ import annotations

import contextlib
import os
import re
import traceback
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import torch

from ...trace import Assumption, Failure, Outcome, Site
from ..stand_ins.context import is_user_file
from . import culprit, message

if TYPE_CHECKING:
    from ..process.child import Run

REFUSALS = frozenset({"process-refused", "network-refused"})
LONGEST = 300  # characters of a message
ANSI = re.compile(r"\x1b\[[0-9;]*m")
INNER = re.compile(r"^(?:RuntimeError|IndexError|ValueError): (.+)$", re.M)


def failure_of(run: Run, error: BaseException) -> Failure:
    """What is known of the exception that ended the script."""
    sites = tuple(run.sources.site(*position) for position in run.sources.traceback(error.__traceback__))
    event = module = None
    chain = _chain(error)
    if run.recorder.failing is not None and any(run.recorder.failing[0] is link for link in chain):
        event = run.recorder.event(run.recorder.failing[1], len(run.recorder.raw))
    if run.modules.failing is not None and any(run.modules.failing[0] is link for link in chain):
        module = run.modules.failing
    with torch._C.DisableTorchFunction():
        read = run.recorder.last_read()
    library = tuple(
        f"{frame.name} ({os.path.basename(frame.filename)}:{frame.lineno})"
        for frame in traceback.extract_tb(error.__traceback__)[-8:]
    )
    text = _text(error)
    return Failure(
        kind=type(error).__name__,
        message=text,
        site=sites[-1] if sites else None,
        stack=sites,
        event=event,
        module=module[1] if module else -1,
        module_args=module[2] if module else (),
        module_kwargs=module[3] if module else {},
        library=library,
        ours=culprit.ours(run, error),
        read=read,
        values=culprit.values(run, error.__traceback__),
        said=message.said(text),
    )


def told_of(failure: Failure) -> dict[str, str]:
    """The fields of the outcome of a run that a failure ended: its type, the first line of its message, the user's
    line."""
    first = failure.message.strip().partition("\n")[0].strip()
    return {
        "type": failure.kind,
        "message": first[:LONGEST] + "…" * (len(first) > LONGEST),
        "line": str(failure.site.line if failure.site else "?"),
    }


@contextlib.contextmanager
def leaving() -> Iterator[None]:
    """A script that leaves by `sys.exit` where it handles an error has ended with that error."""
    handled: BaseException | None = None
    try:
        yield
    except SystemExit as stop:
        handled = stop.__context__ if stop.code not in (None, 0) else None
        if not isinstance(handled, Exception) or not _caught_by_user(handled):
            raise
    if handled is not None:
        raise handled


def _caught_by_user(error: Exception) -> bool:
    """Whether a handler of the script's own caught an error, not one of a library's."""
    trace = error.__traceback__
    return trace is not None and is_user_file(trace.tb_frame.f_code.co_filename)


def exit_of(stop: SystemExit, site: Site | None) -> Outcome:
    """The outcome of a script that left by `sys.exit`: with a message, with a number, or because argparse wanted other
    arguments."""
    frames = [frame for frame, _ in traceback.walk_tb(stop.__traceback__)]
    refusal = next(
        (
            frame.f_locals.get("message")
            for frame in reversed(frames)
            if frame.f_code.co_name == "error" and os.path.basename(frame.f_code.co_filename) == "argparse.py"
        ),
        None,
    )
    if refusal:
        return Outcome(
            "incomplete", "arguments", {"message": str(refusal), "line": str(site.line if site else "?")}, site
        )
    if stop.code is None or isinstance(stop.code, int):
        return Outcome("incomplete", "exit", {"code": str(int(stop.code or 0))}, site)
    first = str(stop.code).strip().partition("\n")[0]
    return Outcome(
        "incomplete", "exit-message", {"message": first[:LONGEST], "line": str(site.line if site else "?")}, site
    )


def _text(error: BaseException) -> str:
    """The message, without colors; that of TorchScript's interpreter without the tale around it."""
    try:
        text = ANSI.sub("", str(error))
    except Exception as fault:  # the script's own __str__
        return f"its text cannot be had ({type(fault).__name__})"
    told = INNER.findall(text) if "TorchScript interpreter" in text else ()
    return told[-1] if told else text


def _chain(error: BaseException) -> list[BaseException]:
    links: list[BaseException] = []
    while error is not None and error not in links:
        links.append(error)
        error = error.__cause__ or error.__context__
    return links


def about_tensors(run: Run, error: BaseException, failure: Failure) -> bool:
    """Whether torch raised it on the script's account, or the user's line took a tensor's shape apart."""
    if failure.ours:
        return False
    if failure.event is not None:
        return True
    return culprit.about_tensors(run, error, failure)


def refused_at(failure: Failure, assumptions: Iterable[Assumption]) -> bool:
    """Whether the failing line itself asked for what a check refuses (a program, the network) and got nothing."""
    lines = {item.site.line for item in assumptions if item.kind in REFUSALS and item.site is not None}
    return failure.event is None and failure.site is not None and failure.site.line in lines
