"""Small sound training scripts of every kind, through the whole of `check`: it is silent, to the end."""

from pathlib import Path

import pytest

from shapewright.checking import check

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_nothing_is_found(script, resident):
    for library in ("transformers", "lightning"):
        if f"import {library}" in (text := script.read_text(encoding="utf-8")) or f"from {library}" in text:
            pytest.importorskip(library)
    diagnosis = check(script, resident=resident, repair=False, timeout=180.0)
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
    assert diagnosis.outcome == "complete", diagnosis.reason


def test_there_are_scripts():
    assert len(SCRIPTS) >= 60
