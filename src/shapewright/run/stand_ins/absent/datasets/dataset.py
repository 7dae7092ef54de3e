"""A table in memory with the methods that scripts call, and a dictionary of such tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .features import ClassLabel, Features, Value


def _kind(values: list[Any]) -> Any:
    first = next((value for value in values if value is not None), None)
    names = {bool: "bool", int: "int64", float: "float64", str: "string"}
    return [_kind(first)] if isinstance(first, (list, tuple)) and first else Value(names.get(type(first), "null"))


class Dataset:
    """Columns of equal length. Rows are dictionaries; a slice gives a dictionary of lists, as the library does."""

    def __init__(
        self,
        columns: dict[str, list[Any]],
        features: Any = None,
        form: tuple[str | None, Any] = (None, None),
        change: Any = None,
        made_up: bool = False,
    ) -> None:
        self._columns = {name: list(values) for name, values in columns.items()}
        known = features or {}
        self.features = Features({name: known.get(name) or _kind(values) for name, values in self._columns.items()})
        self._form, self._change, self._made_up = form, change, made_up

    @classmethod
    def from_dict(cls, mapping: dict[str, Any], features: Any = None, **options: Any) -> Dataset:
        """From columns."""
        return cls({name: list(values) for name, values in mapping.items()}, features)

    @classmethod
    def from_list(cls, rows: list[dict[str, Any]], features: Any = None, **options: Any) -> Dataset:
        """From rows."""
        return cls({name: [row.get(name) for row in rows] for name in (rows[0] if rows else {})}, features)

    @classmethod
    def from_pandas(cls, frame: Any, features: Any = None, **options: Any) -> Dataset:
        """From a frame."""
        return cls({name: frame[name].tolist() for name in frame.columns}, features)

    @classmethod
    def from_generator(
        cls, generator: Callable, features: Any = None, gen_kwargs: Any = None, **options: Any
    ) -> Dataset:
        """From a function that yields rows."""
        return cls.from_list(list(generator(**(gen_kwargs or {}))), features)

    def _with(self, columns: dict[str, list[Any]] | None = None, **changes: Any) -> Dataset:
        state = {
            "features": self.features,
            "form": self._form,
            "change": self._change,
            "made_up": self._made_up,
            **changes,
        }
        return type(self)(self._columns if columns is None else columns, **state)

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    @property
    def num_rows(self) -> int:
        return len(self)

    @property
    def num_columns(self) -> int:
        return len(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), len(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), []))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._formed({key: self._columns[key]}, True)[key]
        if isinstance(key, slice):
            key = list(range(*key.indices(len(self))))
        if hasattr(key, "tolist"):
            key = key.tolist()
        if isinstance(key, (list, tuple, range)):
            return self._formed(
                {name: [values[index] for index in key] for name, values in self._columns.items()}, True
            )
        index = int(key)
        if not -len(self) <= index < len(self):
            raise IndexError(f"Invalid key: {index} is out of bounds for size {len(self)}")
        return self._formed({name: values[index] for name, values in self._columns.items()}, False)

    def __getitems__(self, keys: list[int]) -> list[Any]:
        return [self[key] for key in keys]

    def _formed(self, row: dict[str, Any], several: bool) -> Any:
        kind, columns = self._form
        if self._change is not None:
            answer = self._change(row if several else {name: [value] for name, value in row.items()})
            return answer if several else {name: values[0] for name, values in answer.items()}
        if kind is None or kind == "python":
            return row
        return {
            name: _converted(value, kind, several) for name, value in row.items() if columns is None or name in columns
        }

    def map(
        self,
        function: Callable | None = None,
        batched: bool = False,
        batch_size: int = 1000,
        remove_columns: Any = None,
        with_indices: bool = False,
        input_columns: Any = None,
        fn_kwargs: Any = None,
        **options: Any,
    ) -> Dataset:
        """Apply a function to every row, or to columns of up to `batch_size` rows."""
        more = fn_kwargs or {}
        dropped = [remove_columns] if isinstance(remove_columns, str) else list(remove_columns or [])
        wanted = [input_columns] if isinstance(input_columns, str) else input_columns
        rows = self._with(form=(None, None), change=None)
        size, found = (batch_size or len(self) or 1) if batched else 1, {}
        for start in range(0, len(self), size):
            indices = list(range(start, min(start + size, len(self))))
            given = rows[indices] if batched else rows[start]
            arguments = [given[name] for name in wanted] if wanted else [dict(given)]
            answer = function(*arguments, *([indices if batched else start] if with_indices else []), **more)
            kept = {name: value for name, value in given.items() if name not in dropped}
            for name, value in {**kept, **dict(answer or {})}.items():
                value = _plain(value)
                found.setdefault(name, []).extend(value if batched else [value])
        features = {
            name: kind for name, kind in self.features.items() if name in found and isinstance(kind, ClassLabel)
        }
        return self._with(found, features=features)

    def filter(
        self,
        function: Callable,
        batched: bool = False,
        with_indices: bool = False,
        input_columns: Any = None,
        **options: Any,
    ) -> Dataset:
        """Keep the rows for which the function is true."""
        rows = self._with(form=(None, None), change=None)
        if batched:
            kept = [index for index, keep in enumerate(function(rows[:])) if keep]
        else:
            names = [input_columns] if isinstance(input_columns, str) else input_columns
            kept = [
                i
                for i in range(len(self))
                if function(
                    *([rows[i][name] for name in names] if names else [rows[i]]), *([i] if with_indices else [])
                )
            ]
        return self.select(kept) if kept else self._with({name: [] for name in self._columns})

    def select(self, indices: Iterable[int], **options: Any) -> Dataset:
        """The rows at these indices; of a made-up set, those that there are."""
        picked = [int(index) for index in indices]
        if self._made_up:
            picked = [index for index in picked if index < len(self)] or list(range(len(self)))
        return self._with({name: [values[index] for index in picked] for name, values in self._columns.items()})

    def take(self, n: int) -> Dataset:
        """The first rows."""
        return self.select(range(min(n, len(self))))

    def skip(self, n: int) -> Dataset:
        """All but the first rows."""
        return self.select(range(n, len(self)))

    def shuffle(self, seed: int | None = None, **options: Any) -> Dataset:
        """In another order."""
        order = list(range(len(self)))
        random.Random(seed).shuffle(order)
        return self.select(order)

    def sort(self, column: str, reverse: bool = False, **options: Any) -> Dataset:
        """Ordered by a column."""
        return self.select(sorted(range(len(self)), key=lambda index: self._columns[column][index], reverse=reverse))

    def shard(self, num_shards: int, index: int, **options: Any) -> Dataset:
        """Every `num_shards`-th row."""
        return self.select(range(index, len(self), num_shards))

    def train_test_split(
        self,
        test_size: Any = None,
        train_size: Any = None,
        shuffle: bool = True,
        seed: int | None = None,
        **options: Any,
    ) -> DatasetDict:
        """Two tables."""
        count = len(self)
        share = (
            test_size
            if test_size is not None
            else 0.25
            if train_size is None
            else (count - train_size if isinstance(train_size, int) else 1 - train_size)
        )
        held = round(share * count) if isinstance(share, float) else share
        held = held if 0 < held < count else max(1, count // 5)
        rows = self.shuffle(seed=seed) if shuffle else self
        return DatasetDict({"train": rows.select(range(count - held)), "test": rows.select(range(count - held, count))})

    def rename_column(self, old: str, new: str) -> Dataset:
        """Another name for a column."""
        return self.rename_columns({old: new})

    def rename_columns(self, names: dict[str, str]) -> Dataset:
        """Other names for columns."""
        missing = [name for name in names if name not in self._columns]
        if missing:
            raise ValueError(
                f"Original column name {missing[0]} not in the dataset. Current columns in the dataset: "
                f"{self.column_names}"
            )
        return self._with(
            {names.get(name, name): values for name, values in self._columns.items()},
            features={names.get(n, n): k for n, k in self.features.items()},
        )

    def remove_columns(self, columns: Any) -> Dataset:
        """Without these columns."""
        dropped = [columns] if isinstance(columns, str) else list(columns)
        for name in dropped:
            if name not in self._columns:
                raise ValueError(
                    f"Column name {dropped} not in the dataset. Current columns in the dataset: {self.column_names}"
                )
        return self._with({name: values for name, values in self._columns.items() if name not in dropped})

    def select_columns(self, columns: Any) -> Dataset:
        """Only these columns."""
        kept = [columns] if isinstance(columns, str) else list(columns)
        return self._with({name: self._columns[name] for name in kept})

    def add_column(self, name: str, column: Any, **options: Any) -> Dataset:
        """With one more column."""
        return self._with({**self._columns, name: list(column)})

    def cast_column(self, column: str, feature: Any) -> Dataset:
        """Another kind for a column."""
        return self._with(features={**self.features, column: feature})

    def cast(self, features: Any, **options: Any) -> Dataset:
        """Other kinds."""
        return self._with(features=features)

    def class_encode_column(self, column: str) -> Dataset:
        """A column of words as numbers with names."""
        names = sorted({str(value) for value in self._columns[column]})
        changed = {**self._columns, column: [names.index(str(value)) for value in self._columns[column]]}
        return self._with(changed, features={**self.features, column: ClassLabel(names=names)})

    def set_format(self, type: Any = None, columns: Any = None, **options: Any) -> None:
        """Rows as tensors or arrays from now on."""
        self._form = (type, list(columns) if columns else None)

    def reset_format(self) -> None:
        """Rows as plain values again."""
        self._form, self._change = (None, None), None

    def with_format(self, type: Any = None, columns: Any = None, **options: Any) -> Dataset:
        """A table whose rows are tensors or arrays."""
        return self._with(form=(type, list(columns) if columns else None))

    def set_transform(self, transform: Callable, **options: Any) -> None:
        """Change rows when they are read."""
        self._change = transform

    def with_transform(self, transform: Callable, **options: Any) -> Dataset:
        """A table whose rows are changed when they are read."""
        return self._with(change=transform)

    def unique(self, column: str) -> list[Any]:
        """The different values of a column."""
        return list(dict.fromkeys(self._columns[column]))

    def to_dict(self, **options: Any) -> dict[str, list[Any]]:
        """The columns."""
        return {name: list(values) for name, values in self._columns.items()}

    def to_list(self) -> list[dict[str, Any]]:
        """The rows."""
        return [dict(zip(self._columns, row)) for row in zip(*self._columns.values())]

    def to_pandas(self, **options: Any) -> Any:
        """A frame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_iterable_dataset(self, **options: Any) -> IterableDataset:
        """The same rows, one after the other."""
        return IterableDataset(self._columns, self.features, made_up=self._made_up)

    def save_to_disk(self, path: Any, **options: Any) -> None:
        """A check keeps nothing."""

    push_to_hub = to_csv = to_json = to_parquet = save_to_disk
    flatten_indices = lambda self, **options: self  # noqa: E731

    def __repr__(self) -> str:
        return f"Dataset({{\n    features: {self.column_names},\n    num_rows: {len(self)}\n}})"


class IterableDataset(Dataset):
    """A stream. It has no length that scripts should ask for."""

    def __iter__(self) -> Iterator[Any]:
        return (Dataset.__getitem__(self, index) for index in range(Dataset.__len__(self)))

    def shuffle(self, seed: int | None = None, buffer_size: int = 1000, **options: Any) -> Dataset:
        """In another order."""
        return super().shuffle(seed)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") and getattr(value, "ndim", 0) >= 0 else value


def _converted(value: Any, kind: str, several: bool) -> Any:
    """A value as a tensor (`torch`, `pt`) or an array; ragged lists stay lists of such."""
    if (
        isinstance(value, str)
        or (isinstance(value, list) and value and isinstance(value[0], str))
        or hasattr(value, "convert")
    ):
        return value
    import numpy

    make: Any = numpy.asarray
    if kind in ("torch", "pt"):
        import torch

        make = torch.tensor
    try:
        return make(value)
    except (ValueError, TypeError):
        return [_converted(part, kind, False) for part in value] if several else value


def concatenate_datasets(dsets: list[Dataset], **options: Any) -> Dataset:
    """One after the other."""
    return dsets[0]._with(
        {name: [value for one in dsets for value in one._columns[name]] for name in dsets[0]._columns}
    )


interleave_datasets = concatenate_datasets


class DatasetDict(dict):
    """Splits by name; a method that tables have is applied to each."""

    def __getattr__(self, name: str) -> Any:
        if name in ("num_rows", "column_names", "shape"):
            return {split: getattr(table, name) for split, table in self.items()}
        if name.startswith("_") or not callable(getattr(Dataset, name, None)):
            raise AttributeError(name)

        def each(*args: Any, **options: Any) -> Any:
            answers = {split: getattr(table, name)(*args, **options) for split, table in self.items()}
            return DatasetDict(answers) if all(isinstance(answer, Dataset) for answer in answers.values()) else None

        return each


IterableDatasetDict = DatasetDict
