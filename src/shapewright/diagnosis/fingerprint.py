"""A name for a finding that outlives edits elsewhere in its file: what baselines and code-scanning services compare."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence

from .model import Diagnosis, Finding


def fingerprints(diagnoses: Sequence[Diagnosis], root: str = "") -> list[tuple[Finding, str]]:
    """Every finding with its fingerprint, in order: made of the rule, the file as seen from `root` (by default the
    working folder), the function, the text of the line, and a number where all of these are the same."""
    seen: Counter[str] = Counter()
    found = []
    for diagnosis in diagnoses:
        for finding in diagnosis.findings:
            site = finding.site
            file = os.path.relpath(os.path.abspath(site.file), root or os.getcwd()).replace(os.sep, "/")
            text = next((" ".join(row.text.split()) for row in finding.excerpt.lines if row.line == site.line), "")
            key = "\0".join((finding.code, file, site.function, text))
            seen[key] += 1
            name = hashlib.sha256(f"{key}\0{seen[key]}".encode()).hexdigest()[:32]
            found.append((finding, name))
    return found
