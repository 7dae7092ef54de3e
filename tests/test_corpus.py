"""Every faulty script of `tests/corpus` is found and its root-cause line named; every fixed twin is silent.

The form is that of the shared cases; names, sizes and domains are our own."""

import json
from pathlib import Path

import pytest

from shapewright.checking import check

CASES = sorted(Path(__file__).with_name("corpus").iterdir())


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_fault_is_found_and_located(folder, resident):
    case = json.loads((folder / "case.json").read_text())
    faults = case["fault_line"] if isinstance(case["fault_line"], list) else [case["fault_line"]]
    diagnosis = check(str(folder / "faulty.py"), resident=resident, repair=False)
    named = {line for f in diagnosis.findings for line in range(f.site.line, max(f.site.line, f.site.end_line) + 1)}
    named |= {origin.line for f in diagnosis.findings for origin in f.origins if origin.line}
    assert diagnosis.findings, (diagnosis.outcome, diagnosis.reason)
    assert any(abs(line - fault) <= 1 for line in named for fault in faults), (sorted(named), faults)


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_the_fixed_twin_is_silent(folder, resident):
    diagnosis = check(str(folder / "fixed.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
