"""The silent ones among the reported faults: each is located, and neither their repaired forms nor the clean scripts give a finding."""

import json
import os
from pathlib import Path

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.rules import all_rules
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED") or Path(__file__).resolve().parents[3] / "../shared") / "cases"
SILENT = [
    folder
    for folder in sorted(SHARED.glob("*"))
    if (folder / "case.json").is_file() and json.loads((folder / "case.json").read_text())["kind"] == "silent"
]
SOUND = [folder / "fixed.py" for folder in SILENT] + sorted(SHARED.glob("clean-*/clean.py"))
LOUD = {rule.code for rule in all_rules() if rule.group == "loud"}
pytestmark = pytest.mark.skipif(not SILENT, reason="the reported cases are not here")


def findings(script, tmp_path):
    torch.set_num_threads(1)
    if "transformers" in script.read_text():
        from transformers import GPT2LMHeadModel  # noqa: F401  a first import inside the run is slow
    trace = execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())
    assert trace.outcome.state == "complete", trace.outcome
    return diagnose(trace, Settings(lang="en", strict=True)).findings


@pytest.mark.parametrize("folder", SILENT, ids=lambda path: path.name)
def test_the_fault_is_located_once(folder, tmp_path):
    lines = json.loads((folder / "case.json").read_text())["fault_line"]
    lines = lines if isinstance(lines, list) else [lines]
    found = findings(folder / "faulty.py", tmp_path)
    places = [[item.site.line, *(origin.line for origin in item.origins)] for item in found]
    assert len(found) == 1, [(item.code, item.site.line) for item in found]
    assert found[0].code not in LOUD
    assert any(abs(place - line) <= 1 for place in places[0] for line in lines), places


@pytest.mark.parametrize("script", SOUND, ids=lambda path: path.parent.name)
def test_sound_scripts_are_silent(script, tmp_path):
    assert [(item.code, item.site.line) for item in findings(script, tmp_path)] == []
