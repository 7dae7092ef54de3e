"""Tells whether rows are changed copies of others: noised, or mirrored, so that no two are equal.

Each has a few neighbors that are far nearer than all the rest. Samples drawn around the middle of a class look alike,
so the rows have to be of many more groups than there are classes. It judges nothing.
"""

from __future__ import annotations

import collections
from typing import Any

import torch

from ...dataclass import dataclass

ASKED, WIDEST = 64, 4096
COPIES, GROUPS, NARROWEST = 8, 24, 4
GAP, FAR, SHARE = 5.0, 0.15, 0.6


@dataclass(frozen=True)
class Near:
    """So many of the rows asked about have a copy; `near` is how far off it is, `far` the next one that is none."""

    count: int
    near: float
    far: float

    def among(self, rows: torch.Tensor, others: torch.Tensor) -> int:
        """How many of some rows have a copy among a few others."""
        return int((_apart(rows.double(), others.double()).min(1).values < (self.near + self.far) / 2).sum())


def copies(rows: torch.Tensor, others: torch.Tensor, labels: collections.Counter[Any]) -> Near | None:
    """Whether most of some rows have changed copies among others, whose `labels` are given as far as they are known.

    >>> made = torch.rand(60, 25, generator=torch.Generator().manual_seed(0))
    >>> copies(made[:30] + 1e-3, made, collections.Counter()).count, copies(made[:30], made[30:], collections.Counter())
    (30, None)
    """
    rows, others = rows.double(), others.double()
    if rows.shape[1:] != others.shape[1:] or not NARROWEST <= rows[0].numel() <= WIDEST or len(others) < GROUPS:
        return None
    apart = _apart(rows, others)
    middle, nearest = apart.median(1).values, apart.sort(1).values[:, : COPIES + 1]
    steps = nearest[:, 1:] / nearest[:, :-1].clamp_min(1e-12)
    leap, at = steps.max(1)
    beyond = nearest.gather(1, at[:, None] + 1)[:, 0]
    told = (leap >= GAP) & (beyond >= FAR * middle)
    groups = len(others) / (1 + float(at[told].double().mean())) if bool(told.any()) else 0.0
    classes = len(labels) if all(isinstance(label, float) and label % 1 == 0 for label in labels) else 0
    if float(told.double().mean()) < SHARE or groups < GROUPS or 2 * classes > groups:
        return None
    return Near(int(told.sum()), float(nearest[told, 0].mean()), float(beyond[told].mean()))


def _apart(rows: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
    """The distance of each row to each of the others, (rows, others), mirrored where that is nearer."""
    turned = [rows, *(rows.flip(axis) for axis in range(1, rows.dim()) if rows.dim() > 2)]
    return torch.stack([torch.cdist(one.flatten(1), others.flatten(1)) for one in turned]).min(0).values
