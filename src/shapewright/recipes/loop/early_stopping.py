"""When to stop: after `patience` evaluations in a row without improvement. Also knows which evaluation was the best."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass
class EarlyStopping:
    """`patience` 0 never stops. An improvement is a change of more than `min_delta` in the direction of `mode`; NaN
    never improves."""

    patience: int = 0
    mode: Literal["min", "max"] = "min"
    min_delta: float = 0.0
    best: float | None = None
    waited: int = 0

    def update(self, value: float) -> bool:
        """Take one evaluation's value; true where it is the best so far.

        >>> stop = EarlyStopping(patience=2)
        >>> [stop.update(value) for value in (3.0, 2.0, 2.5, 2.4)], stop.done
        ([True, True, False, False], True)
        """
        sign = 1.0 if self.mode == "min" else -1.0
        better = not math.isnan(value) and (self.best is None or sign * value < sign * self.best - self.min_delta)
        if better:
            self.best, self.waited = value, 0
        else:
            self.waited += 1
        return better

    @property
    def done(self) -> bool:
        return bool(self.patience) and self.waited >= self.patience

    def state_dict(self) -> dict[str, Any]:
        return asdict(self)

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take over what was seen; patience and mode stay as set now."""
        self.best, self.waited = state["best"], state["waited"]
