"""After how many steps a schedule of the learning rate has come down to zero for good.

A schedule is a function of the step, so it is asked about steps that the run never reaches. It judges nothing.
"""

from __future__ import annotations

import contextlib
from typing import Any

FURTHEST, ZERO = 1 << 20, 1e-9


def ended(scheduler: Any) -> int:
    """The first step from which on all rates are zero; -1 where there is none, or it cannot be told."""
    kind, factors = type(scheduler).__name__, getattr(scheduler, "lr_lambdas", None)
    if kind == "PolynomialLR" or (kind == "LinearLR" and abs(scheduler.end_factor) < ZERO):
        return int(scheduler.total_iters)
    if kind != "LambdaLR" or not factors:
        return -1

    def over(step: int) -> bool:
        return all(abs(float(factor(step))) < ZERO for factor in factors)

    with contextlib.suppress(Exception):  # a function of the user's may take fewer steps
        if not over(FURTHEST):
            return -1
        low, high = 0, FURTHEST
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if over(middle) else (middle, high)
        return high
    return -1
