"""Goes on repairing a script until nothing is found, or nothing found can be repaired."""

from __future__ import annotations

import dataclasses
import os
import tokenize
from typing import Any

from ..checking import chosen_settings
from ..diagnosis import diagnose
from ..diagnosis.model import Diagnosis, Finding
from ..run.request import RunRequest
from .patch import edited
from .search import Budget, repaired

ROUNDS = 8


def repaired_texts(script: str, resident: Any, argv: tuple[str, ...] = (), first: Diagnosis | None = None, every: bool = True, unsafe: bool = False,
                   budget: Budget = Budget(), **options: Any) -> tuple[dict[str, str], int]:
    """New texts by file, and how many findings are left.

    Args:
        script: the script's path.
        resident: a running `Resident`.
        argv: the script's arguments.
        first: a diagnosis with fixes that was made already.
        every: go on after the first repair.
        unsafe: also take repairs that were not verified.
        budget: how long to look, a finding.
        options: as for `check`.
    """
    texts, _, left = repair_rounds(script, resident, argv, first, every, unsafe, budget, **options)
    return texts, left


def repair_rounds(script: str, resident: Any, argv: tuple[str, ...] = (), first: Diagnosis | None = None, every: bool = True, unsafe: bool = False,
                  budget: Budget = Budget(), **options: Any) -> tuple[dict[str, str], list[Finding], int]:
    """As `repaired_texts`, with the findings that were repaired, in order."""
    settings = chosen_settings(script, **options)
    request = RunRequest(script=script, argv=tuple(argv), engine=settings.engine, timeout=settings.timeout, memory=settings.memory, cwd=os.getcwd())
    texts: dict[str, str] = {}
    done: list[Finding] = []
    diagnosis, left = first, 0
    for _ in range(ROUNDS):
        now = dataclasses.replace(request, sources={os.path.abspath(file): text for file, text in texts.items()})
        if diagnosis is None or texts:
            trace = resident.run(now)
            diagnosis = repaired(resident, now, trace, diagnose(trace, settings), settings, budget)
            sources = trace.sources
        else:
            sources = {file: read_text(file) for finding in diagnosis.findings for fix in finding.fixes for file in {edit.file for edit in fix.edits}}
        left = len(diagnosis.findings)
        finding = next((f for f in diagnosis.findings if f.fixes and (unsafe or f.fixes[0].applicability == "verified")), None)
        if finding is None:
            break
        texts.update(edited(sources, finding.fixes[0].edits))
        done.append(finding)
        left -= 1
        if not every:
            break
    return texts, done, left


def read_text(file: str) -> str:
    """A source file's text, its encoding as it declares it."""
    with tokenize.open(file) as handle:
        return handle.read()
