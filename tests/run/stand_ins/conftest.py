"""Runs a text as a user's script in a process of its own, under the stand-ins only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_SOURCE = Path(__file__).resolve().parents[3] / "src"
_SERVER = """
import json, os, runpy, sys, traceback
from pathlib import Path
import torch  # once: each text runs in a fork
from shapewright.run.stand_ins import install
class Notes(list):
    def add(self, kind, *, site=None, **fields):
        self.append([kind, fields, site.line if site else 0])
for line in sys.stdin:
    script = Path(line.strip())
    if not (child := os.fork()):
        os.chdir(script.parent)
        for number, name in ((1, "printed"), (2, "said")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), number)
        os.environ["HF_HOME"] = str(script.parent / "empty")
        notes, status = Notes(), 1
        install(notes, script.parent / "scratch")
        sys.argv, sys.path[0] = [str(script)], str(script.parent)
        try:
            runpy.run_path(str(script), run_name="__main__")
            (script.parent / "notes").write_text(json.dumps(notes))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="session")
def under_stand_ins(tmp_path_factory):
    """Call with a script's text; returns `(what it printed, [[kind, fields, line], ...])`."""
    env = {**os.environ, "PYTHONPATH": str(_SOURCE), "OMP_NUM_THREADS": "1"}
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    )

    def run(text: str) -> tuple[str, list[list]]:
        folder = tmp_path_factory.mktemp("script")
        (folder / "script.py").write_text(text, encoding="utf-8")
        server.stdin.write(f"{folder / 'script.py'}\n")
        server.stdin.flush()
        assert server.stdout.readline().strip() == "0", (folder / "said").read_text()[-3000:]
        return (folder / "printed").read_text(), json.loads((folder / "notes").read_text())

    yield run
    server.stdin.close()
    server.wait()
