"""After how many steps a schedule of the learning rate is highest and zero for good, and whether its factors are rates.

A schedule is a function of the step, so it is asked about steps that the run never reaches. It judges nothing.
"""

from __future__ import annotations

import contextlib
from typing import Any

FURTHEST, ZERO = 1 << 20, 1e-9
WIDER, NEAR, NEARLY = 1.2, 100, 0.95
DEEP, FINE, SPREAD = 0.05, 0.02, 0.4  # of a valley: how low, how finely it is looked for, how wide it may be


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


def highest(scheduler: Any) -> int:
    """About how many steps a schedule raises the rates before they are highest; -1 where it begins with the highest, or
    it cannot be told."""
    kind, factors = type(scheduler).__name__, getattr(scheduler, "lr_lambdas", None)
    with contextlib.suppress(Exception):
        if kind == "OneCycleLR":
            return round(scheduler._schedule_phases[0]["end_step"])
        if kind == "CyclicLR":
            return round(scheduler.total_size * scheduler.step_ratio)
        if kind == "SequentialLR":
            return min(highest(scheduler._schedulers[0]), int(scheduler._milestones[0]))
        if kind == "LinearLR" and scheduler.start_factor < scheduler.end_factor:
            return int(scheduler.total_iters)
        if kind == "ConstantLR" and scheduler.factor < 1:
            return int(scheduler.total_iters)
        if kind == "LambdaLR" and factors:
            return max(_climb(factor) for factor in factors)
    return -1


def lowest(scheduler: Any) -> int:
    """After how many steps a function of the step is lowest, near nothing, before it rises again as far; -1 where there
    is no such step, or it cannot be told."""
    factors = getattr(scheduler, "lr_lambdas", None)
    if type(scheduler).__name__ != "LambdaLR" or not factors:
        return -1
    with contextlib.suppress(Exception):
        found = {_valley(factor) for factor in factors}
        return found.pop() if len(found) == 1 else -1
    return -1


def _valley(factor: Any) -> int:
    """The first step at which a function of the step is near nothing and from which it rises as it fell, else -1."""
    begun, step = float(factor(0)), 1
    if begun <= 0:
        return -1
    while step < FURTHEST and float(factor(step)) > DEEP * begun:  # it falls faster than the steps grow
        step += max(1, int(step * FINE))
    near = range(max(1, int(step * (1 - SPREAD))), int(step * (1 + SPREAD)) + 2)
    near = near[:: max(1, len(near) // NEAR**2)]
    low = min(near, key=lambda one: (round(float(factor(one)), 12), one))
    back = [float(factor(low + far)) / begun for far in (low // 2, low)]
    falls = [float(factor(low - far)) / begun for far in (low // 2, low)]
    return low if low > 1 and back[1] > 0.9 and abs(back[0] - falls[0]) < NEAR / 1000 else -1


def _climb(factor: Any) -> int:
    """About the first step at which a function of the step is highest."""
    steps = [0]
    while steps[-1] < FURTHEST:
        steps.append(max(steps[-1] + 1, int(steps[-1] * WIDER)))
    values = [float(factor(step)) for step in steps]
    at = next(at for at, value in enumerate(values) if value >= NEARLY * max(values))  # it may swing later
    if at == 0 or at > len(steps) - 3:
        return -1
    low, high = steps[at - 1], steps[at + 2]
    near = range(low, high + 1, max(1, (high - low) // NEAR))
    return max(near, key=lambda step: (round(float(factor(step)), 9), -step))


def rate(scheduler: Any) -> float:
    """The rate that a schedule multiplies with itself: its factors begin at the optimizer's own rates and never exceed
    them; 0 where there is none."""
    factors, rates = getattr(scheduler, "lr_lambdas", None), scheduler.base_lrs
    if type(scheduler).__name__ != "LambdaLR" or not factors or any(one in (0, 1) for one in rates):
        return 0.0
    with contextlib.suppress(Exception):
        for factor, own in zip(factors, rates):
            begun = float(factor(0))
            if abs(begun / own - 1) > ZERO or any(float(factor(1 << k)) > begun for k in range(20)):
                return 0.0
        return float(rates[0])
    return 0.0
