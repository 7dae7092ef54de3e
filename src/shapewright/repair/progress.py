"""How far a run came, and where it stopped, against another one. It runs nothing."""

from __future__ import annotations

from ..diagnosis.model import Diagnosis, Finding
from ..trace import Site, Trace
from .candidate import Candidate


def is_edited(candidate: Candidate, trace: Trace) -> bool:
    """Whether the line that failed is one that a candidate wrote."""
    site = trace.failure.site if trace.failure is not None else None
    return site is not None and any(
        edit.line <= site.line <= max(edit.end_line, edit.line + edit.replacement.count("\n"))
        for edit in candidate.edits
    )


def failing_line(trace: Trace) -> tuple[str, str]:
    """The function and the text of the line that failed."""
    site = trace.failure.site if trace.failure is not None else None
    lines = trace.sources.get(site.file, "").splitlines() if site is not None else []
    return (site.function, lines[site.line - 1].strip()) if site is not None and site.line <= len(lines) else ("", "")


def progress(trace: Trace) -> tuple[int, int]:
    """How far a run came: training iterations, then events."""
    return (max((step.iteration for step in trace.steps), default=0), len(trace.events))


def is_below(site: Site | None, before: Site | None, candidate: Candidate) -> bool:
    """Whether an edit of the line that failed let the same function run on to a later line, with fewer calls."""
    if site is None or before is None or (site.file, site.function) != (before.file, before.function):
        return False
    (edit, *others) = candidate.edits
    here = not others and edit.file == before.file and edit.line == edit.end_line == before.line
    return here and "\n" not in edit.replacement and site.line > before.line


def is_around(finding: Finding, diagnosis: Diagnosis, candidate: Candidate) -> bool:
    """Whether what is found now is an expression around the one of a finding, whose own fault an edit of its line
    mended: the next operand of `a + b + c`."""
    was, (edit, *others) = finding.site, candidate.edits
    if others or not was.line == was.end_line == edit.line == edit.end_line or "\n" in edit.replacement:
        return False
    added = len(edit.replacement) - (edit.end_column - edit.column)
    again = [one.site for one in diagnosis.findings if (one.code, one.site.line) == (finding.code, was.line)]
    again = [site for site in again if site.end_line == was.line and site.function == was.function]
    return bool(again) and all(site.column <= was.column and site.end_column > was.end_column + added for site in again)


def found_again(finding: Finding, diagnosis: Diagnosis) -> bool:
    """Whether a diagnosis still has the finding, wherever the lines moved."""
    return any(
        other.code == finding.code and other.site.function == finding.site.function for other in diagnosis.findings
    )
