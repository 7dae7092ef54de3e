"""The learning rate over a run: up a straight line, down a cosine, zero at the end.

A function of the step and the planned number of steps alone, so a run that is resumed with more epochs follows the
longer curve from where it stands (torch's `OneCycleLR` raises there, and `CosineAnnealingLR` climbs again).
"""

from __future__ import annotations

import math

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


def cosine(optimizer: torch.optim.Optimizer, steps: int, warmup: float = 0.0) -> torch.optim.lr_scheduler.LambdaLR:
    """A scheduler to step once per optimiser step; `warmup` is the share of the steps in which the rate rises."""
    rising = int(steps * warmup)
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: factor(step, steps, rising))
