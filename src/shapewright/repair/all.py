"""Goes on repairing a script until nothing is found, or nothing found can be repaired."""

from __future__ import annotations

import dataclasses
import os
import tokenize
from typing import Any

from ..chosen import chosen_settings
from ..diagnosis import diagnose
from ..diagnosis.model import Diagnosis, Finding
from ..run.ending.ranks import compared, of_ranks_alone
from ..run.process.request import RunRequest
from ..run.process.supervisor import Resident
from ..trace import Trace
from .findings import first_repaired
from .patch import edited
from .search import Budget
from .verify import Verifier, marked

ROUNDS = 8


def repaired_texts(
    script: str,
    resident: Resident,
    argv: tuple[str, ...] = (),
    first: Diagnosis | None = None,
    every: bool = True,
    unsafe: bool = False,
    budget: Budget = Budget(),
    **options: Any,
) -> tuple[dict[str, str], int]:
    """New texts by file, and how many findings are left.

    Args:
        script: the script's path.
        resident: a running `Resident`.
        argv: the script's arguments.
        first: a diagnosis with fixes that was made already.
        every: go on after the first repair.
        unsafe: also take repairs whose meaning is open.
        budget: how long to look, a finding.
        options: as for `check`.
    """
    texts, _, left = repair_rounds(script, resident, argv, first, every, unsafe, budget, **options)
    return texts, left


def repair_rounds(
    script: str,
    resident: Resident,
    argv: tuple[str, ...] = (),
    first: Diagnosis | None = None,
    every: bool = True,
    unsafe: bool = False,
    budget: Budget = Budget(),
    begun: tuple[Trace, Diagnosis] | None = None,
    **options: Any,
) -> tuple[dict[str, str], list[Finding], int]:
    """As `repaired_texts`, with the findings that were repaired, in order; `begun` is the run that found them, where
    there was one."""
    settings = chosen_settings(script, **options)
    request = RunRequest(
        script=script,
        argv=tuple(argv),
        engine=settings.engine,
        timeout=settings.timeout,
        memory=settings.memory,
        cwd=os.getcwd(),
    )
    if begun is not None and begun[0].data.whole:
        request = dataclasses.replace(request, whole=True)
    texts: dict[str, str] = {}
    done: list[Finding] = []
    if first is not None:
        finding = _to_apply(first, unsafe)
        if finding is None or not every:
            done = [finding] if finding else []
            return _applied(finding), done, len(first.findings) - len(done)
        texts.update(_applied(finding))
        done.append(finding)
    known, in_vain, left = begun if first is None else None, set(), 0
    for _ in range(ROUNDS):
        now = dataclasses.replace(request, sources={os.path.abspath(file): text for file, text in texts.items()})
        if known is None:
            trace = compared(now, resident.run(now), resident)
            known = (trace, diagnose(trace, settings))
        trace, diagnosis = known
        left = len(diagnosis.findings)
        findings = sorted(diagnosis.findings, key=lambda finding: marked(finding) in in_vain)
        if not findings or of_ranks_alone(trace):
            break
        found = first_repaired(Verifier(resident, now, trace, diagnosis, settings), budget, findings, unsafe)
        if found is None:
            break
        passed, finding, winner = found
        in_vain.update(marked(other) for other in findings[:passed])
        texts.update(edited(trace.sources, finding.fixes[0].edits))
        done.append(finding)
        left -= 1
        if not every:
            break
        known = (winner.trace, winner.diagnosis)
    return texts, done, left


def _to_apply(diagnosis: Diagnosis, unsafe: bool) -> Finding | None:
    return next((f for f in diagnosis.findings if f.fixes and (unsafe or f.fixes[0].safe)), None)


def _applied(finding: Finding | None) -> dict[str, str]:
    """The texts on the disk with a finding's first fix."""
    if finding is None:
        return {}
    edits = finding.fixes[0].edits
    return edited({file: read_text(file) for file in {edit.file for edit in edits}}, edits)


def read_text(file: str) -> str:
    """A source file's text, its encoding as it declares it."""
    with tokenize.open(file) as handle:
        return handle.read()
