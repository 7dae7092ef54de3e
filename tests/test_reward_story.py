"""The reward model of the first story, repaired and batched: read at `[:, -1]` behind right padding, one answer scores differently alone and in company."""

import re
from pathlib import Path

import pytest

from shapewright.checking import check

STORY = Path(__file__).with_name("corpus") / "story-reward-last-step"


def test_the_diagnosis_shows_both_scores_of_one_answer(resident):
    diagnosis = check(str(STORY / "faulty.py"), resident=resident)
    (finding,) = diagnosis.findings
    assert (finding.code, finding.site.line) == ("SW256", 22)
    assert "hidden[:, -1]" in finding.message
    length, padded = map(int, re.search(r"sequence of length (\d+), .* is padded to (\d+)", finding.why).groups())
    together, alone, largest = (
        float(n)
        for n in re.search(r"is (-?[\d.e-]+) if .* and (-?[\d.e-]+) if .* up to ([\d.e-]+)\)", finding.why).groups()
    )
    assert length < padded
    # both scores are printed with four digits (1.021), so their difference is known to one unit of the last one
    assert abs(together - alone) == pytest.approx(largest, abs=1.1e-3)
    assert largest > 1e-3
    fix = finding.fixes[0]
    assert fix.applicability and {1, 4} <= set(fix.verified)
    assert "attention_mask" in fix.edits[0].replacement
