"""The shipped recipes are sound scripts themselves: `check` runs each to its end and finds nothing."""

import json
from pathlib import Path

import pytest

import shapewright.recipes
from shapewright.checking import check
from shapewright.recipes.preference import generated

pytest.importorskip("accelerate")
FOLDER = Path(shapewright.recipes.__file__).parent
RECIPES = ("digits", "fashion", "next_token", "text", "reward")


@pytest.mark.parametrize("name", RECIPES)
def test_nothing_is_found(name, resident, tmp_path):
    if name == "text":
        pytest.importorskip("transformers")
    argv = ["--log-dir", str(tmp_path / "run")]
    if name == "reward":  # Few pairs: reading and tokenizing its own 1,200 under observation takes half the time.
        (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, generated.rows(40))))
        argv += ["--data", str(tmp_path / "pairs.jsonl")]
    diagnosis = check(FOLDER / f"{name}.py", argv, resident=resident, repair=False, timeout=300.0)
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert not (tmp_path / "run").exists()
