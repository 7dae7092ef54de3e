"""Environment, working folder and standard streams of the child."""

from __future__ import annotations

import io
import os
import random
import sys
import tempfile
from pathlib import Path

from ..process.request import RunRequest

VARIABLES = {
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "HYDRA_FULL_ERROR": "1",  # which else prints an error and exits
    "MPLBACKEND": "Agg",
    "TOKENIZERS_PARALLELISM": "false",
    "TRANSFORMERS_OFFLINE": "1",
    "WANDB_MODE": "disabled",
    "WANDB_SILENT": "true",
    "COMET_MODE": "disabled",
    "NEPTUNE_MODE": "debug",
    "PYTHONDONTWRITEBYTECODE": "1",
    "SDL_VIDEODRIVER": "dummy",
    "QT_QPA_PLATFORM": "offscreen",
}


def settle(request: RunRequest, scratch: Path) -> None:
    """Make this process look like a quiet, offline one whose temporary files go to `scratch`."""
    temporary = scratch / "tmp"
    temporary.mkdir()
    os.environ.update(VARIABLES)
    for name in ("TMPDIR", "TEMP", "TMP"):
        os.environ[name] = str(temporary)
    tempfile.tempdir = str(temporary)
    sys.dont_write_bytecode = True
    os.chdir(request.cwd or os.getcwd())
    random.seed(0)  # two runs of one script see the same numbers; torch's generator has a fixed state anyway
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed(0)


def rewire(output_fd: int) -> None:
    """Standard input becomes empty; standard output and error go to `output_fd`."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    os.close(nothing)
    os.close(output_fd)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(
        io.BufferedReader(io.FileIO(0, "r", closefd=False)), encoding="utf-8", errors="replace"
    )
    for name, fd in (("stdout", 1), ("stderr", 2)):
        raw = io.FileIO(fd, "w", closefd=False)
        stream = io.TextIOWrapper(
            io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
