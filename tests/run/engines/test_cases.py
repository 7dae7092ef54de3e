"""The development cases under the dry engine: loud ones stop at the line at which they crash, the others run to their end."""

import json
import os
from pathlib import Path

import pytest

from shapewright.run.process.request import RunRequest

SHARED = Path(os.environ.get("SHAPEWRIGHT_SHARED") or Path(__file__).resolve().parents[3] / "../shared")
SCRIPTS = sorted((SHARED / "cases").glob("*/*.py")) if SHARED.is_dir() else []
WANTED = [path for path in SCRIPTS if path.name != "fixed.py"]

pytestmark = pytest.mark.skipif(not WANTED, reason="no ../shared/cases here")


@pytest.mark.parametrize("script", WANTED, ids=lambda path: path.parent.name)
def test_the_outcome_is_that_of_real_tensors(resident, script):
    case = (
        json.loads((script.parent / "case.json").read_text())
        if (script.parent / "case.json").exists()
        else {"kind": "clean"}
    )
    trace = resident.run(RunRequest(str(script), engine="dry", timeout=240, probe=False, cwd=str(script.parent)))
    assert trace.engine == "dry"
    if case["kind"] == "loud":
        assert trace.outcome.state == "stopped", trace.outcome
        assert case["crash_line"] in (trace.failure.site.line, *(site.line for site in trace.failure.stack))
    else:
        assert trace.outcome.state == "complete", trace.failure or trace.outcome
