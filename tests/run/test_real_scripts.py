"""Scripts that do what people do are checked to the end without an edit, and nothing is found in them."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

from shapewright.diagnosis import diagnose
from shapewright.run.engines import settle
from shapewright.run.process.request import RunRequest

FOLDER = Path(__file__).parent / "scripts"
LARGE = "gpt_124m.py"  # checked, sound and faulty, by engines/test_made_small.py
SCRIPTS = sorted(path for path in (*FOLDER.glob("*.py"), *FOLDER.glob("*/train.py")) if path.name != LARGE)
ANSWERED = {"torchvision", "gymnasium", "wandb", "lab"}
"""Modules that need not be installed: a stand-in answers, or the script brings them."""


def _imported(script: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(FOLDER).with_suffix("").as_posix())
def test_checked_to_the_end(script, resident):
    missing = [name for name in _imported(script) - ANSWERED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    before = sorted(path for path in FOLDER.rglob("*") if "__pycache__" not in path.parts)
    trace = settle(RunRequest(str(script), timeout=240.0, cwd=str(script.parent)), resident.run)
    diagnosis = diagnose(trace)
    assert diagnosis.outcome == "complete", (diagnosis.reason, trace.failure)
    assert [(finding.code, finding.site.line, finding.message) for finding in diagnosis.findings] == []
    assert trace.output.strip(), "the script prints at its end"
    assert sorted(path for path in FOLDER.rglob("*") if "__pycache__" not in path.parts) == before
