"""Data sets that are gone through once, kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch.utils.data import Dataset


class _Kept(Dataset):
    def __init__(self, rows: Iterable) -> None:
        self._rows = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Any:
        return self._rows[index]


def to_map_style_dataset(iter_data: Iterable) -> Dataset:
    """A data set with a length and an order."""
    return _Kept(iter_data)
