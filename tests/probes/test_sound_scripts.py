"""Scripts that mix samples, detach values, share padding or skip parameters on purpose: nothing is found in them."""

from pathlib import Path

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

SCRIPTS = sorted((Path(__file__).parent / "sound").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_nothing_is_found(script, tmp_path):
    torch.set_num_threads(1)
    if "transformers" in script.read_text():
        from transformers import BertForSequenceClassification  # noqa: F401  a first import inside the run is slow
    trace = execute(RunRequest(script=str(script), engine="live"), tmp_path, Assumptions())
    assert trace.outcome.state == "complete", trace.outcome
    diagnosis = diagnose(trace, Settings(lang="en", strict=True))
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
    assert trace.probes


def test_there_are_scripts():
    assert len(SCRIPTS) >= 15
