"""The learning rate over a run: up a straight line, down a cosine or a line, zero at the end.

A function of the step and the planned number of steps alone, so a run that is resumed with more epochs follows the
longer curve from where it is (torch's `OneCycleLR` raises there, `CosineAnnealingLR` climbs again, and `LinearLR` keeps
the plan that it was saved with: zero from there on).
"""

from __future__ import annotations

import math
from typing import Any

import torch


def factor(step: int, steps: int, warmup: int = 0) -> float:
    """Share of the peak rate at one step, counted from 0.

    >>> [round(factor(step, 8, 2), 2) for step in range(9)]
    [0.5, 1.0, 1.0, 0.93, 0.75, 0.5, 0.25, 0.07, 0.0]
    """
    if step < warmup:
        return (step + 1) / warmup
    done = (step - warmup) / max(1, steps - warmup)
    return 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


class Curve(torch.optim.lr_scheduler.LambdaLR):
    """A rate by step alone. Nothing but the step is saved; the step after a load has its rate by today's plan."""

    def state_dict(self) -> dict[str, Any]:
        return {"last_epoch": self.last_epoch}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.last_epoch = state_dict["last_epoch"]
        self._last_lr = [rate * share(self.last_epoch) for rate, share in zip(self.base_lrs, self.lr_lambdas)]
        for group, rate in zip(self.optimizer.param_groups, self._last_lr):
            group["lr"] = rate


def cosine(optimizer: torch.optim.Optimizer, steps: int, warmup: float = 0.0) -> Curve:
    """A scheduler to step once per optimiser step; `warmup` is the share of the steps in which the rate rises."""
    rising = int(steps * warmup)
    return Curve(optimizer, lambda step: factor(step, steps, rising))


def linear(optimizer: torch.optim.Optimizer, steps: int) -> Curve:
    """A scheduler to step once per optimiser step: from the peak to zero along a line."""
    return Curve(optimizer, lambda step: max(0.0, 1.0 - step / steps))
