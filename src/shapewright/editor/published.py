"""A diagnosis as the protocol's diagnostics, by file."""

from __future__ import annotations

import os
from collections.abc import Callable

from lsprotocol import types

from ..diagnosis import Diagnosis, Finding, Remark
from ..report.wording import unchecked
from .positions import Lines, joined, uri_of

SOURCE = "shapewright"
LinesOf = Callable[[str], Lines]  # the lines of a file, by its absolute path
PageOf = Callable[[str, str], str]  # the address of a rule's page, by code and slug


def diagnostics(
    diagnosis: Diagnosis, lines_of: LinesOf, page_of: PageOf, remarks: bool
) -> dict[str, list[types.Diagnostic]]:
    """What is to be shown in each file; the script is always among them."""
    script = os.path.abspath(diagnosis.script)
    shown: dict[str, list[types.Diagnostic]] = {script: []}
    for number, finding in enumerate(diagnosis.findings):
        file = os.path.abspath(finding.site.file or diagnosis.script)
        shown.setdefault(file, []).append(_diagnostic(finding, number, lines_of, page_of, file))
    for remark in diagnosis.remarks if remarks else ():
        file = os.path.abspath(remark.site.file or diagnosis.script)
        shown.setdefault(file, []).append(_remark(remark, lines_of(file), page_of))
    # a syntax error is the language's own server's to tell
    if diagnosis.outcome == "incomplete" and diagnosis.reason_kind not in ("syntax-error", "interrupted"):
        end = diagnosis.end
        here = end is not None and end.line > 0 and os.path.abspath(end.file) == script
        line = end.line if end is not None and here else 1
        shown[script].append(
            types.Diagnostic(
                range=lines_of(script).span(line, 1, line, 1),
                message=unchecked(diagnosis),
                severity=types.DiagnosticSeverity.Information,
                source=SOURCE,
                code=diagnosis.reason_kind,
            )
        )
    return shown


def _diagnostic(finding: Finding, number: int, lines_of: LinesOf, page_of: PageOf, file: str) -> types.Diagnostic:
    site = finding.site
    said = joined([finding.message, finding.why])
    related = [
        types.DiagnosticRelatedInformation(
            location=types.Location(
                uri_of(item.file), lines_of(os.path.abspath(item.file)).span(item.line, 1, item.line, 1)
            ),
            message=", ".join(part for part in (item.axis, item.note) if part),
        )
        for item in finding.origins
        if item.file and item.line and os.path.exists(item.file)
    ]
    severity = types.DiagnosticSeverity.Warning if finding.severity == "warning" else types.DiagnosticSeverity.Error
    return types.Diagnostic(
        range=lines_of(file).span(site.line, site.column, site.end_line, site.end_column),
        message=said,
        severity=severity,
        source=SOURCE,
        code=finding.code,
        code_description=_page(page_of(finding.code, finding.slug)),
        related_information=related or None,
        data={"finding": number},
    )


def _remark(remark: Remark, lines: Lines, page_of: PageOf) -> types.Diagnostic:
    site = remark.site
    return types.Diagnostic(
        range=lines.span(site.line, site.column, site.end_line, site.end_column),
        message=joined([remark.message, remark.why]),
        severity=types.DiagnosticSeverity.Hint,
        source=SOURCE,
        code=remark.code,
        code_description=_page(page_of(remark.code, remark.slug)),
    )


def _page(address: str) -> types.CodeDescription | None:
    return types.CodeDescription(address) if address else None
