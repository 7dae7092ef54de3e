"""Every faulty script of the rules that read probes or training loops is found at its line; every sound twin gives no finding of them."""

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.rules import all_rules
from shapewright.run.ending.ranks import compared
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

RULES = [rule for rule in all_rules() if "SW201" <= rule.code <= "SW389" and rule.group != "loud"]
FAULTY = [
    pytest.param(rule, text, line, id=f"{rule.code}-{i}")
    for rule in RULES
    for i, (text, line) in enumerate(rule.faulty)
]
SOUND = [pytest.param(rule, text, id=f"{rule.code}-{i}") for rule in RULES for i, text in enumerate(rule.sound)]


@pytest.fixture
def traced(tmp_path, resident):
    def run(text):
        script = tmp_path / "script.py"
        script.write_text(text, encoding="utf-8")
        torch.set_num_threads(1)
        torch.manual_seed(1)
        request = RunRequest(script=str(script), engine="live")
        return compared(request, execute(request, tmp_path, Assumptions()), resident)

    return run


@pytest.mark.parametrize(("rule", "text", "line"), FAULTY)
def test_a_fault_is_found_at_its_line_in_three_languages(rule, text, line, traced):
    trace = traced(text)
    assert trace.outcome.state == "complete", trace.outcome
    messages = set()
    for lang in ("en", "es", "ja"):
        diagnosis = diagnose(trace, Settings(lang=lang, strict=True), [rule])
        found = [*diagnosis.findings, *diagnosis.remarks]
        assert [item.site.line for item in found] == [line], [(p.question, p.holds, p.data) for p in trace.probes]
        assert found[0].message and found[0].why
        messages.add((found[0].message, found[0].why))
    assert len(messages) == 3


@pytest.mark.parametrize(("rule", "text"), SOUND)
def test_a_sound_twin_is_silent(rule, text, traced):
    trace = traced(text)
    assert trace.outcome.state == "complete", trace.outcome
    diagnosis = diagnose(trace, Settings(lang="en", strict=True), RULES)
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
    assert rule.code not in {item.code for item in diagnosis.remarks}
