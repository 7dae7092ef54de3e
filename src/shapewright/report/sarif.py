"""SARIF 2.1.0, for code scanning and editors. Columns count characters from 1, `endColumn` is exclusive, as in the
diagnosis."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..diagnosis import Diagnosis, Edit, Finding, Fix
from ..diagnosis.fingerprint import fingerprints
from ..rules import find_rule
from ..trace import Site
from .addresses import address
from .catalogue import summary

name = "sarif"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(diagnoses: Sequence[Diagnosis], **_: Any) -> str:
    """One log with one run that holds the results of all scripts."""
    findings = [finding for diagnosis in diagnoses for finding in diagnosis.findings]
    rules = {finding.code: finding for finding in reversed(findings)}
    codes = sorted(rules)
    notes = [
        {
            "level": "warning" if diagnosis.findings else "error",
            "message": {"text": f"{diagnosis.script}: {diagnosis.reason or diagnosis.outcome}"},
        }
        for diagnosis in diagnoses
        if diagnosis.outcome != "complete"
    ]
    notes += [
        {"level": "note", "message": {"text": f"{diagnosis.script}: {item.note}"}}
        for diagnosis in diagnoses
        for item in diagnosis.assumptions
    ]
    driver = {
        "name": "shapewright",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rules[code]) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": all(diagnosis.outcome != "incomplete" for diagnosis in diagnoses),
                "toolExecutionNotifications": notes,
            }
        ],
        "results": [
            _result(finding, codes.index(finding.code), fingerprint) for finding, fingerprint in fingerprints(diagnoses)
        ],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rule(finding: Finding) -> dict[str, Any]:
    """A rule in one sentence, with the address of its page where that is known."""
    made: dict[str, Any] = {
        "id": finding.code,
        "name": finding.slug,
        "shortDescription": {"text": finding.slug.replace("-", " ")},
    }
    known = find_rule(finding.code)
    if known is not None:
        made["fullDescription"] = {"text": summary(known)}
        made["help"] = {"text": f"{summary(known)} More: shapewright rule {finding.code}"}
    if where := address(finding.code, finding.slug):
        made["helpUri"] = where
    return made


def _result(finding: Finding, rule: int, fingerprint: str) -> dict[str, Any]:
    said = f"{finding.message}. {finding.why}" if finding.why else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": "warning" if finding.severity == "warning" else "error",
        "message": {"text": said},
        "locations": [{"physicalLocation": _place(finding.site)}],
        "partialFingerprints": {"shapewright/v1": fingerprint},
    }
    origins = [item for item in finding.origins if item.file and item.line]
    if origins:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": ", ".join(part for part in (item.axis, item.note) if part)},
                "physicalLocation": {"artifactLocation": _file(item.file), "region": {"startLine": item.line}},
            }
            for number, item in enumerate(origins, 1)
        ]
    fixes = [_fix(fix) for fix in finding.fixes if fix.edits]
    if fixes:
        result["fixes"] = fixes
    return result


def _fix(fix: Fix) -> dict[str, Any]:
    files: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        files.setdefault(edit.file, []).append(edit)
    return {
        "description": {"text": fix.title if fix.safe else f"{fix.title} ({fix.doubt})"},
        "properties": {"applicability": fix.applicability},
        "artifactChanges": [
            {
                "artifactLocation": _file(file),
                "replacements": [
                    {
                        "deletedRegion": {
                            "startLine": edit.line,
                            "startColumn": edit.column,
                            "endLine": edit.end_line,
                            "endColumn": edit.end_column,
                        },
                        "insertedContent": {"text": edit.replacement},
                    }
                    for edit in edits
                ],
            }
            for file, edits in files.items()
        ],
    }


def _place(site: Site) -> dict[str, Any]:
    return {
        "artifactLocation": _file(site.file),
        "region": {
            "startLine": site.line,
            "startColumn": site.column,
            "endLine": site.end_line,
            "endColumn": site.end_column,
        },
    }


def _file(path: str) -> dict[str, str]:
    pure = PurePath(path)
    return {"uri": pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())}
