"""Runs a text as a user's script in a process of its own, under the stand-ins only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_SOURCE = Path(__file__).resolve().parents[3] / "src"
_RUNNER = """
import json, runpy, sys
from pathlib import Path
from shapewright.run.stand_ins import install
class Notes(list):
    def add(self, kind, *, site=None, **fields):
        self.append([kind, fields, site.line if site else 0])
notes = Notes()
script = sys.argv[1]
install(notes, Path(script).parent / "scratch")
sys.argv = sys.argv[1:]
sys.path[0] = str(Path(script).parent)
try:
    runpy.run_path(script, run_name="__main__")
finally:
    print("NOTES" + json.dumps(notes))
"""


@pytest.fixture(scope="session")
def under_stand_ins(tmp_path_factory):
    """Call with a script's text; returns `(what it printed, [[kind, fields, line], ...])`."""

    def run(text: str) -> tuple[str, list[list]]:
        folder = tmp_path_factory.mktemp("script")
        script = folder / "script.py"
        script.write_text(text, encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": str(_SOURCE), "OMP_NUM_THREADS": "1", "HF_HOME": str(folder / "empty")}
        done = subprocess.run(
            [sys.executable, "-c", _RUNNER, str(script)],
            capture_output=True,
            text=True,
            env=env,
            timeout=600,
            cwd=folder,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        printed, _, notes = done.stdout.rpartition("NOTES")
        return printed, json.loads(notes)

    return run
