"""The JSON contract: one object per diagnosis, an array for several. It writes nothing else, so standard output stays
parseable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..diagnosis import Diagnosis, Edit, Finding, Fix
from ..trace import Site

name = "json"


def render(diagnoses: Sequence[Diagnosis], *, many: bool = False, **_: Any) -> str:
    """One object, or an array where several scripts (or a folder) were asked for."""
    objects = [as_object(diagnosis) for diagnosis in diagnoses]
    return json.dumps(objects if many or len(objects) != 1 else objects[0], ensure_ascii=False, indent=2) + "\n"


def as_object(diagnosis: Diagnosis) -> dict[str, Any]:
    """The object of one diagnosis, in the order of the contract; keys beyond it come last.

    `trained` tells whether a gradient was computed or an optimizer stepped. Lines of a notebook are those of its code
    cells joined; `cells` says at which line each begins."""
    return {
        "version": diagnosis.version,
        "script": diagnosis.script,
        "outcome": diagnosis.outcome,
        "reason": diagnosis.reason,
        "engine": diagnosis.engine,
        "seconds": diagnosis.seconds,
        "findings": [_finding(finding) for finding in diagnosis.findings],
        "assumptions": [asdict(item) | {"line": item.line or None} for item in diagnosis.assumptions],
        "remarks": [
            {"code": item.code, "slug": item.slug, "message": item.message, "why": item.why, "site": _site(item.site)}
            for item in diagnosis.remarks
        ],
        "reason_kind": diagnosis.reason_kind,
        "lang": diagnosis.lang,
        "trained": diagnosis.trained,
    } | ({"cells": [{"cell": number, "line": first} for number, first in diagnosis.cells]} if diagnosis.cells else {})


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "slug": finding.slug,
        "severity": finding.severity,
        "message": finding.message,
        "why": finding.why,
        "site": _site(finding.site),
        "origins": [
            {
                "axis": item.axis,
                "note": item.note,
                "file": item.file or None,
                "line": item.line or None,
                "kind": item.kind,
            }
            for item in finding.origins
        ],
        "fixes": [_fix(fix) for fix in finding.fixes],
        "labels": [{"text": label.text, **_site(label.site)} for label in finding.labels],
    }


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability,
        "doubt": fix.doubt,
        "verified": list(fix.verified),
        "edits": [_edit(edit) for edit in fix.edits],
        "diff": fix.diff,
        "rejected": [asdict(item) for item in fix.rejected],
    }


def _edit(edit: Edit) -> dict[str, Any]:
    return asdict(edit)


def _site(site: Site) -> dict[str, Any]:
    return {
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "end_line": site.end_line,
        "end_column": site.end_column,
    }
