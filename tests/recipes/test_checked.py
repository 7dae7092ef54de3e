"""The shipped recipes are sound scripts themselves: `check` runs each to its end and finds nothing."""

from pathlib import Path

import pytest

import shapewright.recipes
from shapewright.checking import check

pytest.importorskip("accelerate")
FOLDER = Path(shapewright.recipes.__file__).parent
RECIPES = ("digits", "fashion", "next_token", "text", "reward")


@pytest.mark.parametrize("name", RECIPES)
def test_nothing_is_found(name, resident, tmp_path):
    if name == "text":
        pytest.importorskip("transformers")
    diagnosis = check(
        FOLDER / f"{name}.py", ["--log-dir", str(tmp_path / "run")], resident=resident, repair=False, timeout=300.0
    )
    assert [(f.code, f.site.line, f.message) for f in diagnosis.findings] == []
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert not (tmp_path / "run").exists()
