"""Tells whether rows are windows of a series that lie between windows of others: each begins within one of them and
ends within another.

Windows that come after all others share steps with the last ones only, so nothing is found where the series was divided
before it was cut. A step is known by its value and those that follow it, never by its place. It judges nothing.
"""

from __future__ import annotations

import torch

STEPS, LEAST, LONGEST, LARGEST = 3, 6, 512, 2_000_000
UNIQUE = 0.4  # different runs of steps for each of the others: fewer come back, as in a wave
SHARE = 0.3


def between(rows: torch.Tensor, others: torch.Tensor, unique: float = UNIQUE) -> int:
    """How many of some rows lie between others, 0 where it is few of them.

    >>> cut = torch.arange(0, 60.5, 0.5).square().cos().unfold(0, 12, 1)
    >>> between(cut[5::10], cut[::2]), between(cut[80:], cut[:80])
    (11, 0)
    """
    if rows.shape[1:] != others.shape[1:] or not 2 <= rows.dim() <= 3 or not len(rows) or others.numel() > LARGEST:
        return 0
    for axis in range(1, rows.dim()):
        if not 2 * STEPS <= rows.shape[axis] <= LONGEST:
            continue
        given, known = _runs(rows, axis), _runs(others, axis)
        later = {run for runs in known for run in runs[1:]}  # within a window that began before
        earlier = {run for runs in known for run in runs[:-1]}
        if len(later | earlier) < unique * len(others):
            continue
        found = sum(_telling(runs) and runs[0] in later and runs[-1] in earlier for runs in given)
        if found >= max(LEAST, SHARE * len(rows)):
            return found
    return 0


def _runs(rows: torch.Tensor, axis: int) -> list[list[tuple]]:
    """Of each row every few steps that follow each other along an axis."""
    steps = rows.movedim(axis, 1).flatten(2) if rows.dim() > 2 else rows[:, :, None]
    weights = torch.arange(1, steps.shape[2] + 1, dtype=torch.float64).cos()
    marks = (steps.double() * weights).sum(2).unfold(1, STEPS, 1)
    return [[tuple(run) for run in row] for row in marks.tolist()]


def _telling(runs: list[tuple]) -> bool:
    """Whether a window begins and ends with real numbers that differ."""
    return all(len(set(run)) == STEPS and any(part % 1 for part in run) for run in (runs[0], runs[-1]))
