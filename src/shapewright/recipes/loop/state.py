"""Where a run stands, as plain data that JSON keeps."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


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
