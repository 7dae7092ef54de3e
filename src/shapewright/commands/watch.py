"""`watch`: check as `check` does, and again whenever the script or a file that it imported is saved."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from ..checking import found_in, scripts_in, with_repairs
from ..diagnosis import Diagnosis
from ..report import terminal
from ..report.language import language
from ..report.terminal import page_settings
from ..settings import parse_memory
from .check import Check, parsed, rules_named

EVERY = 0.2  # seconds between two looks at the files
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


def main(argv: Sequence[str], resident: Any) -> int:
    """Watches until it is interrupted."""
    options, theirs = parsed(argv, command="watch")
    scripts = scripts_in(options.scripts)
    files: dict[str, set[str]] = {script: {os.path.abspath(script)} for script in scripts}
    seen: dict[str, tuple[int, int]] = {}
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            changed = {file for file, state in _states(files).items() if seen.get(file) != state}
            seen |= _states(files)
            due = [script for script in scripts if files[script] & changed]
            if due and sys.stdout.isatty():
                sys.stdout.write(CLEAR)
            for script in due:
                trace_files = _checked(script, theirs, options, resident)
                seen |= {file: state for file, state in _states({script: trace_files}).items() if file not in seen}
                files[script] = {os.path.abspath(script), *trace_files}
            time.sleep(EVERY)
    return 0


def _checked(script: str, argv: tuple[str, ...], options: Check, resident: Any) -> set[str]:
    """Check one script and print its page, again where repairs were found; returns the files that ran."""
    found = found_in(
        script,
        argv,
        resident=resident,
        engine=options.engine,
        timeout=options.timeout,
        lang=language(options.lang) if options.lang else None,
        memory=parse_memory(options.memory) if options.memory else None,
        select=rules_named(options.select),
        ignore=rules_named(options.ignore),
    )
    live = sys.stdout.isatty()
    if live or not (options.fix and found.diagnosis.findings):
        _print(found.diagnosis, options)
    if options.fix and found.diagnosis.findings:
        diagnosis = with_repairs(found, resident)
        if live:
            sys.stdout.write(CLEAR)
        _print(diagnosis, options)
    return {os.path.abspath(file) for file in found.trace.sources}


def _print(diagnosis: Diagnosis, options: Check) -> None:
    sys.stdout.write(terminal.render([diagnosis], remarks=options.remarks, **page_settings()))
    sys.stdout.flush()


def _states(files: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """When each file was written last and how long it is; absent files are not there."""
    states = {}
    watched: Iterable[str] = {file for several in files.values() for file in several}
    for file in watched:
        with contextlib.suppress(OSError):
            status = os.stat(file)
            states[file] = (status.st_mtime_ns, status.st_size)
    return states
