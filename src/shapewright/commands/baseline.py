"""A file of findings that are known: a check with it reports only what is new."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence

from ..diagnosis import Diagnosis
from ..diagnosis.fingerprint import fingerprints
from ..report.phrases import phrase

VERSION = 1


def known(path: str, lang: str) -> frozenset[str]:
    """The fingerprints in a baseline file.

    Raises:
        ValueError: the file is no baseline, or is missing; the text says how to make one.
    """
    try:
        with open(path, encoding="utf-8") as stream:
            table = json.load(stream)
        if table["version"] != VERSION:
            raise ValueError(f"version {table['version']!r}")
        return frozenset(item["fingerprint"] for item in table["findings"])
    except FileNotFoundError as error:
        raise ValueError(phrase("baseline_missing", lang, path=path)) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(phrase("baseline_foreign", lang, path=path, error=error)) from error


def without_known(diagnosis: Diagnosis, fingerprints_known: frozenset[str], root: str) -> Diagnosis:
    """The diagnosis with its new findings only."""
    return diagnosis.with_findings(
        tuple(finding for finding, name in fingerprints([diagnosis], root) if name not in fingerprints_known)
    )


def save(path: str, diagnoses: Sequence[Diagnosis]) -> int:
    """Write all findings as known, in an order that changes little from one time to the next; returns their number.
    Beside the fingerprint stands what a person needs to review it."""
    root = root_of(path)
    rows = [
        {
            "file": os.path.relpath(os.path.abspath(finding.site.file), root).replace(os.sep, "/"),
            "code": finding.code,
            "slug": finding.slug,
            "message": finding.message,
            "fingerprint": name,
        }
        for diagnosis in diagnoses
        for finding, name in fingerprints([diagnosis], root)
    ]
    rows.sort(key=lambda row: (row["file"], row["code"], row["fingerprint"]))
    with open(path, "w", encoding="utf-8") as stream:
        json.dump({"version": VERSION, "findings": rows}, stream, ensure_ascii=False, indent=2)
        stream.write("\n")
    return len(rows)


def root_of(path: str) -> str:
    """The folder that the files of a baseline are seen from: its own."""
    return os.path.dirname(os.path.abspath(path))
