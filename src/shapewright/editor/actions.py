"""Repairs, and comments that allow a finding, as code actions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from lsprotocol import types

from ..diagnosis import Diagnosis, Edit, Finding, Fix
from .positions import Lines, uri_of
from .words import say

FIX_ALL = "source.fixAll.shapewright"
EditsOf = Callable[[str, list[types.TextEdit]], types.TextDocumentEdit]


def actions(
    diagnosis: Diagnosis,
    shown: list[types.Diagnostic],
    lines_of: Callable[[str], Lines],
    unchanged: Callable[[str], bool],
    only: list[str],
    edits_of: EditsOf,
) -> list[types.CodeAction]:
    """The actions for diagnostics that the client shows; none that edits a file which changed since the check."""
    made: list[types.CodeAction] = []
    lang = diagnosis.lang
    if asked_for(types.CodeActionKind.QuickFix.value, only):
        for diagnostic in shown:
            finding = _finding(diagnosis, diagnostic)
            if finding is None:
                continue
            for number, fix in enumerate(finding.fixes):
                if fix.edits and all(unchanged(os.path.abspath(edit.file)) for edit in fix.edits):
                    made.append(_repair(fix, number == 0, diagnostic, lang, lines_of, edits_of))
            made += _allowed(finding, diagnostic, lang, lines_of, unchanged, edits_of)
    if asked_for(FIX_ALL, only) and (everything := _together(diagnosis, unchanged)):
        made.append(
            types.CodeAction(
                title=say("fix-all", lang), kind=FIX_ALL, edit=workspace_edit(everything, lines_of, edits_of)
            )
        )
    return made


def asked_for(kind: str, only: Sequence[str]) -> bool:
    """Whether a client that asks for these kinds of actions (all where it names none) gets this one."""
    return not only or any(kind == asked or kind.startswith(asked + ".") for asked in only)


def _finding(diagnosis: Diagnosis, diagnostic: types.Diagnostic) -> Finding | None:
    number = diagnostic.data.get("finding") if isinstance(diagnostic.data, dict) else None
    known = isinstance(number, int) and number < len(diagnosis.findings)
    finding = diagnosis.findings[number] if known and number is not None else None
    return finding if finding is not None and finding.code == diagnostic.code else None


def _repair(
    fix: Fix,
    first: bool,
    diagnostic: types.Diagnostic,
    lang: str,
    lines_of: Callable[[str], Lines],
    edits_of: EditsOf,
) -> types.CodeAction:
    safe = fix.safe
    return types.CodeAction(
        title=fix.title if safe else say("unsafe", lang, title=fix.title),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        is_preferred=safe and first,
        edit=workspace_edit(fix.edits, lines_of, edits_of),
    )


def _together(diagnosis: Diagnosis, unchanged: Callable[[str], bool]) -> tuple[Edit, ...]:
    """The edits of every finding's safe repair that lie apart from those before."""
    chosen: list[Edit] = []
    for finding in diagnosis.findings:
        fix = next((fix for fix in finding.fixes if fix.safe), None)
        if fix is None or not all(unchanged(os.path.abspath(edit.file)) for edit in fix.edits):
            continue
        fresh = [edit for edit in fix.edits if edit not in chosen]
        if not any(_meet(edit, other) for edit in fresh for other in chosen):
            chosen += fresh
    return tuple(chosen)


def _meet(one: Edit, other: Edit) -> bool:
    return (
        one.file == other.file
        and (one.line, one.column) <= (other.end_line, other.end_column)
        and (other.line, other.column) <= (one.end_line, one.end_column)
    )


def _allowed(
    finding: Finding,
    diagnostic: types.Diagnostic,
    lang: str,
    lines_of: Callable[[str], Lines],
    unchanged: Callable[[str], bool],
    edits_of: EditsOf,
) -> list[types.CodeAction]:
    """A comment at the end of the finding's last line."""
    path = os.path.abspath(finding.site.file)
    if not unchanged(path):
        return []
    lines, line = lines_of(path), max(finding.site.line, finding.site.end_line)
    row = lines.lines[line - 1] if line <= len(lines.lines) else ""
    if row.rstrip().endswith("\\"):
        return []  # nothing may follow a backslash
    end = lines.end(line)
    comment = f", {finding.slug}" if "# shapewright: allow" in row else f"  # shapewright: allow {finding.slug}"
    edit = types.TextEdit(types.Range(end, end), comment)
    return [
        types.CodeAction(
            title=say("allow", lang, slug=finding.slug),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic],
            edit=types.WorkspaceEdit(document_changes=[edits_of(uri_of(path), [edit])]),
        )
    ]


def workspace_edit(edits: tuple[Edit, ...], lines_of: Callable[[str], Lines], edits_of: EditsOf) -> types.WorkspaceEdit:
    """Edits as the protocol's, by file."""
    by_file: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        path = os.path.abspath(edit.file)
        lines = lines_of(path)
        span = types.Range(lines.position(edit.line, edit.column), lines.position(edit.end_line, edit.end_column))
        past = edit.end_line > len(lines.lines)
        if past:  # an edit at the end of the file
            span.end = types.Position(len(lines.lines), 0)
            if edit.line > len(lines.lines):
                span.start = types.Position(len(lines.lines), 0)
        by_file.setdefault(path, []).append(types.TextEdit(span, edit.replacement))
    return types.WorkspaceEdit(document_changes=[edits_of(uri_of(path), made) for path, made in by_file.items()])
