"""GitLab's code-quality report: a JSON array with one object for each finding, by its fingerprint."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ..diagnosis import Diagnosis
from ..diagnosis.fingerprint import fingerprints

name = "gitlab"


def render(diagnoses: Sequence[Diagnosis], **_: Any) -> str:
    """The report of all diagnoses. What could not be checked is a finding of its own, of severity `info`."""
    found = [
        {
            "description": f"{finding.message}. {finding.why}" if finding.why else finding.message,
            "check_name": f"{finding.code} {finding.slug}",
            "fingerprint": fingerprint,
            "severity": "minor" if finding.severity == "warning" else "major",
            "location": {
                "path": _path(finding.site.file),
                "lines": {"begin": finding.site.line, "end": max(finding.site.line, finding.site.end_line)},
            },
        }
        for finding, fingerprint in fingerprints(diagnoses)
    ]
    found += [
        {
            "description": diagnosis.reason,
            "check_name": diagnosis.reason_kind,
            "fingerprint": f"unchecked {_path(diagnosis.script)}",
            "severity": "info",
            "location": {
                "path": _path(diagnosis.script),
                "lines": {"begin": diagnosis.end.line if diagnosis.end else 1},
            },
        }
        for diagnosis in diagnoses
        if diagnosis.outcome == "incomplete"
    ]
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def _path(file: str) -> str:
    return os.path.relpath(os.path.abspath(file)).replace(os.sep, "/")
