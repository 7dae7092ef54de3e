"""In which world a run is: without an accelerator, or with a simulated one from its first line on.

A script that asks whether there is one is told that there is none, and goes its CPU way. One that never asks and names
one gets it. Where a run without one comes to what needs it (`Demanded`), or ends by the script's own hand after it was
told that there is none, the script is run again with it. No torch here.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Callable

from ...trace import Site, Trace
from ..process.request import RunRequest

SPOKEN = {kind: re.compile(rf"\b{kind}\b") for kind in ("mps", "xpu", "npu", "hpu")}
RANKS = 2  # that are run at most
QUESTIONS = ("is_available", "device_count", "current_accelerator")
MANY = 8  # accelerators of one machine
End = tuple[str, tuple[Site | None, ...]]
WANTING = "accelerator-demanded"
ABSENT = (
    "missing-module",
    "missing-data",
    "missing-environment",
    "empty-data",
)  # ends that are no fault of the other world


def world(request: RunRequest, texts: tuple[str, ...]) -> str:
    """The kind of accelerator that a run begins with, `cuda:8` for several; empty for none.

    >>> world(RunRequest("a.py"), ("x.to('cuda')",)), world(RunRequest("a.py"), ("x + 1",))
    ('cuda', '')
    >>> world(RunRequest("a.py"), ("'mps' if torch.backends.mps.is_available() else 'cpu'",))
    ''
    """
    if request.accelerator:
        several = request.rank >= 0 and ":" not in request.accelerator  # each rank has its own
        return f"{request.accelerator}:{RANKS}" if several else request.accelerator
    if any(question in text for text in texts for question in QUESTIONS):
        return ""
    if any("cuda" in text for text in texts):
        return "cuda"
    for kind, word in SPOKEN.items():
        if any(kind in text and word.search(text) for text in texts):
            return kind
    return "cuda" if any("accelerator" in text for text in texts) else ""


def in_one_world(request: RunRequest, run_once: Callable[[RunRequest], Trace], alike: set[End] | None = None) -> Trace:
    """The trace of a run of `request` that stays in one world. `alike` are the ends of this script that are the same in
    both: a run with other data that ends so is not made again."""
    trace = run_once(request)
    kind = trace.data.accelerator
    if request.accelerator or not kind:
        return trace
    if alike is not None and _end(trace) in alike:
        return dataclasses.replace(trace, data=dataclasses.replace(trace.data, accelerator=""))
    again = run_once(dataclasses.replace(request, accelerator=kind))
    if again.outcome.reason == "exit" and not again.events:  # which may need more than one
        more = run_once(dataclasses.replace(request, accelerator=f"{kind}:{MANY}"))
        if more.events or more.outcome.reason != "exit":
            again, kind = more, f"{kind}:{MANY}"
    further = len(again.events) > len(trace.events) or again.outcome.reason in ABSENT
    further |= len(again.events) == len(trace.events) and again.outcome.site != trace.outcome.site
    if trace.outcome.reason != WANTING and again.outcome.state == "incomplete" and not further:
        if alike is not None and trace.failure is not None:
            alike.add(_end(trace))
        return dataclasses.replace(
            trace, data=dataclasses.replace(trace.data, accelerator="")
        )  # another reason ends both
    return dataclasses.replace(
        again, seconds=again.seconds + trace.seconds, data=dataclasses.replace(again.data, accelerator=kind)
    )


def _end(trace: Trace) -> End:
    """How a run ended, and where."""
    return trace.outcome.reason, trace.failure.stack if trace.failure is not None else (trace.outcome.site,)


def project_texts(script: str, most: int = 60) -> tuple[str, ...]:
    """The texts beside and below `script` that may name a device: sources and settings, at most `most` of them."""
    found: list[str] = []
    for folder, folders, files in os.walk(os.path.dirname(os.path.abspath(script))):
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "__")) and name not in ("venv", "node_modules", "site-packages")
        ][:20]
        for name in files:
            if name.endswith((".py", ".yaml", ".yml", ".toml", ".json", ".cfg")):
                with (
                    contextlib.suppress(OSError),
                    open(os.path.join(folder, name), encoding="utf-8", errors="ignore") as handle,
                ):
                    found.append(handle.read(200_000))
                if len(found) >= most:
                    return tuple(found)
    return tuple(found)
