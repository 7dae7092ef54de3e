"""GitHub workflow annotations: one `::error` or `::warning` line per finding, `::notice` where something was not
checked.

The escapes are those of actions/toolkit's `command.ts`: % and line ends in the message, and also : and , in
properties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..diagnosis import Diagnosis, Finding
from .phrases import phrase
from .wording import unchecked, verification

name = "github"


def render(diagnoses: Sequence[Diagnosis], **_: Any) -> str:
    """The annotations of all diagnoses."""
    lines = []
    for diagnosis in diagnoses:
        lines += [_annotation(finding, diagnosis.lang) for finding in diagnosis.findings]
        if diagnosis.outcome != "complete":
            level = "notice" if diagnosis.findings else "error"
            lines.append(
                f"::{level} file={_property(diagnosis.script)},title=shapewright::{_data(unchecked(diagnosis))}"
            )
    return "".join(line + "\n" for line in lines)


def _annotation(finding: Finding, lang: str) -> str:
    site = finding.site
    places = {
        "file": site.file,
        "line": site.line,
        "endLine": site.end_line,
        "col": site.column,
        "endColumn": max(site.column, site.end_column - 1),
    }
    if site.end_line != site.line:
        del places["col"], places["endColumn"]
    properties = ",".join(
        f"{key}={_property(value)}" for key, value in {**places, "title": f"{finding.code} {finding.slug}"}.items()
    )
    said = [finding.message, finding.why]
    if finding.fixes:
        said.append(f"{phrase('help', lang)}: {finding.fixes[0].title} ({verification(finding.fixes[0], lang)})")
        said.append(finding.fixes[0].diff.rstrip())
    level = "warning" if finding.severity == "warning" else "error"
    return f"::{level} {properties}::" + _data("\n".join(part for part in said if part))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
