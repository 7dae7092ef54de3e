"""How the tests of running scripts run one, and see what is left behind."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from shapewright.run.process.request import RunRequest
from shapewright.trace import Trace


@pytest.fixture
def run(resident, tmp_path):
    """Runs a source text as `tmp_path/script.py` and checks that the folder is as it was."""

    def run(text: str, *, timeout: float = 20.0, files: dict[str, str] | None = None, **options) -> Trace:
        for name, content in (files or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        (tmp_path / "script.py").write_text(text)
        before = snapshot(tmp_path)
        trace = resident.run(RunRequest(str(tmp_path / "script.py"), timeout=timeout, cwd=str(tmp_path), **options))
        assert snapshot(tmp_path) == before
        assert not processes_with(str(tmp_path))
        return trace

    return run


def snapshot(folder: Path) -> dict[str, tuple]:
    """Every path below a folder with its kind, mode, time of change and content."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        state = path.lstat()
        content = (
            path.read_bytes()
            if stat.S_ISREG(state.st_mode)
            else os.readlink(path)
            if path.is_symlink()
            else sorted(os.listdir(path))
        )
        found[str(path)] = (state.st_mode, state.st_mtime_ns, state.st_uid, content)
    return found


def processes_with(text: str) -> list[int]:
    """Processes whose working folder or command line names `text`, other than this one."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                place, words = (
                    os.readlink(f"/proc/{name}/cwd"),
                    Path(f"/proc/{name}/cmdline").read_bytes().decode(errors="replace"),
                )
            except OSError:
                continue
            if text in place or text in words:
                found.append(int(name))
    return found
