"""`shapewright.fix`: the repair of a script, for Python callers. Nothing is written unless asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Sequence

from ..diagnosis.model import Finding
from ..run.supervisor import Resident
from .all import read_text, repair_rounds
from .patch import Changed, diff, of_project, write
from .search import Budget


@dataclass(frozen=True)
class Repair:
    """`texts` are the new texts by file, `diff` the same as a patch, `repaired` the findings that the edits take away, `left` how many remain."""

    texts: dict[str, str]
    diff: str
    repaired: tuple[Finding, ...]
    left: int


def fix(path: str | os.PathLike[str], argv: Sequence[str] = (), *, write_files: bool = False, every: bool = True, unsafe: bool = False,
        resident: Resident | None = None, **options: Any) -> Repair:
    """Repair a script by edits that were run at batch 1, on a ragged last batch and at the full batch.

    Args:
        path: the script.
        argv: its arguments.
        write_files: write the repaired files, atomically.
        every: go on until nothing is found or nothing can be repaired.
        unsafe: also take edits that were not verified.
        resident: a running `Resident`; one is started and stopped otherwise.
        options: as for `check`.

    Raises:
        Changed: a file is not what was checked, is read-only, gone, or outside the script's project.
        ValueError: an option is malformed.
    """
    script = os.fspath(path)
    if resident is None:
        with Resident() as own:
            return fix(script, argv, write_files=write_files, every=every, unsafe=unsafe, resident=own, **options)
    texts, done, left = repair_rounds(script, resident, tuple(argv), every=every, unsafe=unsafe, budget=Budget(60, 60.0), **options)
    before = {file: read_text(file) for file in texts}
    if write_files:
        for file in texts:
            if not of_project(file, script):
                raise Changed("outside", file)
        write({file: (before[file], text) for file, text in texts.items()})
    return Repair(texts, diff(before, texts), tuple(done), left)
