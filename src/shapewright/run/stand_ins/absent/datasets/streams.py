"""Data sets as streams of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch.utils.data import IterableDataset as TorchIterable

from .tables import Dataset, DatasetDict, Row, columns_of


class IterableDataset(TorchIterable):  # type: ignore[type-arg]
    """A stream of rows."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def _whole(self) -> Dataset:
        rows = self._rows
        return rows if isinstance(rows, Dataset) else Dataset(columns_of(list(rows)))

    def map(self, function: Any = None, **options: Any) -> IterableDataset:
        """Each row with what a function makes of it."""
        return IterableDataset(self._whole().map(function, **options))

    def filter(self, function: Any = None, **options: Any) -> IterableDataset:
        """The rows that a function keeps."""
        return IterableDataset(self._whole().filter(function, **options))

    def shuffle(self, seed: int | None = None, **_: Any) -> IterableDataset:
        """In a random order."""
        return IterableDataset(self._whole().shuffle(seed))

    def take(self, n: int) -> IterableDataset:
        """The first rows."""
        return IterableDataset(self._whole().take(n))

    def skip(self, n: int) -> IterableDataset:
        """All of a made-up stream, which is shorter than the true one."""
        whole = self._whole()
        return self if whole._made_up else IterableDataset(whole.skip(n))

    def remove_columns(self, column_names: Any) -> IterableDataset:
        """Without some columns."""
        return IterableDataset(self._whole().remove_columns(column_names))

    def rename_column(self, original_column_name: str, new_column_name: str) -> IterableDataset:
        """One column under another name."""
        return IterableDataset(self._whole().rename_column(original_column_name, new_column_name))

    def with_format(self, type: str | None = None) -> IterableDataset:
        """In another form."""
        return IterableDataset(self._whole().with_format(type))

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._whole().column_names

    def set_epoch(self, epoch: int) -> None:
        """The order stays."""


class IterableDatasetDict(DatasetDict):
    """Streams by split."""
