"""Where a run stands, as plain data that JSON keeps; and whether a call may go on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..settings import CommonArgs, UsageError, differing, plain


@dataclass
class State:
    """`epoch` counts whole epochs, `batch` the steps of the current one, `step` all optimiser steps; `sums` are the
    current epoch's running sums; `history` the metrics of each evaluation; `seconds` the training time so far; `ended`
    why the run ended before its last epoch; `saves` how often it was saved; `extra` what a recipe keeps besides."""

    epoch: int = 0
    batch: int = 0
    step: int = 0
    seconds: float = 0.0
    ended: str = ""
    sums: dict[str, float] = field(default_factory=dict)
    history: list[dict[str, float]] = field(default_factory=list)
    saves: int = 0
    extra: dict[str, Any] = field(default_factory=dict)

    def state_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, values: dict[str, Any]) -> State:
        """The state in a checkpoint; entries of another version of this program are left out."""
        return cls(**{key: value for key, value in values.items() if key in cls.__dataclass_fields__})


def same_run(folder: Path, name: str, saved: Mapping[str, Any], args: CommonArgs, processes: int) -> bool:
    """Whether a step has as many samples as when the run was saved, over all processes.

    Args:
        saved: the recipe's name, its settings (`args`) and the number of `processes`.

    Raises:
        UsageError: it is another recipe's run, or one of other settings. Those that only divide a step among
        processes may differ.
    """
    if saved.get("recipe") != name:
        raise UsageError(
            f"{folder} holds a run of {saved.get('recipe', 'another program')!r}, not of {name!r}: "
            f"choose another --log-dir"
        )
    before = saved.get("processes", processes)
    same_step = _per_step(saved["args"], before) == _per_step(plain(args), processes)
    changed = differing(saved["args"], args)
    if same_step and before != processes:
        changed = {key: pair for key, pair in changed.items() if key not in ("batch_size", "accumulate")}
    if changed:
        was = ", ".join(f"{key}={old!r} (now {new!r})" for key, (old, new) in changed.items())
        raise UsageError(f"{folder} holds a run with {was}: choose another --log-dir, or start anew with --no-resume")
    return same_step


def _per_step(args: Mapping[str, Any], processes: int) -> int:
    """Samples of one optimiser step over all processes."""
    return args.get("batch_size", 1) * args["accumulate"] * processes
