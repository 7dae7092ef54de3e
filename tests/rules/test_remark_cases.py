"""Advice (SW390 and up) is a remark at its line in three languages, never a finding, and silent on the sound twins."""

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.rules import all_rules
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

RULES = [rule for rule in all_rules() if rule.code >= "SW390"]


@pytest.fixture
def traced(tmp_path):
    def run(text):
        (tmp_path / "script.py").write_text(text, encoding="utf-8")
        torch.manual_seed(1)
        return execute(RunRequest(script=str(tmp_path / "script.py")), tmp_path, Assumptions())

    return run


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_advice_is_a_remark_where_it_applies_and_nothing_where_it_does_not(rule, traced):
    for text, line in rule.faulty:
        trace, said = traced(text), set()
        for lang in ("en", "es", "ja"):
            made = diagnose(trace, Settings(lang=lang, strict=True, opinions=True), [rule])
            assert [item.site.line for item in made.remarks] == [line] and made.findings == () and made.exit_code == 0
            said.add((made.remarks[0].message, made.remarks[0].why))
        assert len(said) == 3
    for text in rule.sound:
        assert diagnose(traced(text), Settings(strict=True, opinions=True), [rule]).remarks == ()
