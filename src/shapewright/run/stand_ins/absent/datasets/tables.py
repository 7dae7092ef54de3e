"""Data sets as columns of plain lists, with the methods by which scripts prepare them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch

from shapewright.run.stand_ins.columns import within
from shapewright.run.stand_ins.sets.served import MARK

from .features import ClassLabel, Features, Value

Row = dict[str, Any]
_BATCH = 1000


def _listed(names: Any) -> list[str]:
    return [names] if isinstance(names, str) else list(names or ())


def columns_of(rows: list[Row]) -> dict[str, list[Any]]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


class Column(list[Any]):
    """A column of rows that were made up, which the real one has more of."""

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(within(key, len(self)) if type(key) is int else key)


class Dataset:
    """Rows by number, columns by name."""

    def __init__(self, columns: dict[str, list[Any]], features: Any = None, description: str = "") -> None:
        self._columns = {name: list(values) for name, values in columns.items()}
        known = features or {}
        self.features = Features({name: known.get(name) or Value() for name in self._columns})
        self.info = SimpleNamespace(features=self.features, description=description, dataset_name="")
        self.split: Any = None
        self._format: str | None = None
        self._shown: list[str] | None = None
        self._plain = False  # whether the other columns come too, as they are
        self._transform: Callable[[Row], Row] | None = None

    @classmethod
    def from_dict(cls, mapping: Any, features: Any = None, **_: Any) -> Dataset:
        """Of columns."""
        return cls(dict(mapping), features)

    @classmethod
    def from_list(cls, rows: Any, features: Any = None, **_: Any) -> Dataset:
        """Of rows."""
        return cls(columns_of(list(rows)), features)

    @classmethod
    def from_generator(cls, generator: Any, gen_kwargs: Any = None, **_: Any) -> Dataset:
        """Of what a generator yields."""
        return cls(columns_of(list(generator(**(gen_kwargs or {})))))

    @property
    def _made_up(self) -> bool:
        return self.info.description == MARK

    def _like(self, columns: dict[str, list[Any]]) -> Dataset:
        made = Dataset(columns, self.features, self.info.description)
        made._format, made._transform, made.split = self._format, self._transform, self.split
        made._shown = None if self._shown is None else [name for name in self._shown if name in columns]
        made._plain = self._plain
        return made

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return len(self)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def num_columns(self) -> int:
        """The number of columns."""
        return len(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), self.num_columns

    def _formed(self, value: Any) -> Any:
        if self._format in ("torch", "pt"):
            try:
                return torch.tensor(value)
            except (TypeError, ValueError):
                return value
        if self._format in ("numpy", "np"):
            import numpy

            return numpy.asarray(value)
        return value

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            column = self._formed(self._columns[key])
            return Column(column) if type(column) is list and self._made_up else column
        shown = self._columns if self._shown is None or self._plain else self._shown
        if isinstance(key, slice):
            return self._given({name: self._columns[name][key] for name in shown})
        if hasattr(key, "__iter__"):
            places = [int(place) for place in key]
            return self._given({name: [self._columns[name][place] for place in places] for name in shown})
        key = within(int(key), len(self)) if self._made_up else int(key)  # the real one has more rows
        if not -len(self) <= key < len(self):
            raise IndexError(f"Index {key} out of range for dataset of size {len(self)}.")
        if self._transform is not None:
            batch = self._transform({name: [self._columns[name][int(key)]] for name in shown})
            return {name: values[0] for name, values in batch.items()}
        return self._given({name: self._columns[name][int(key)] for name in shown})

    def _given(self, part: Row) -> Row:
        if self._transform is not None:
            return self._transform(part)
        formed = part if self._shown is None else self._shown
        return {name: self._formed(value) if name in formed else value for name, value in part.items()}

    def __iter__(self) -> Iterator[Row]:
        return (self[number] for number in range(len(self)))

    def _row(self, number: int) -> Row:
        return {name: values[number] for name, values in self._columns.items()}

    def iter(self, batch_size: int, **_: Any) -> Iterator[Row]:
        """Batches of columns."""
        return (self[start : start + batch_size] for start in range(0, len(self), batch_size))

    def map(
        self,
        function: Any = None,
        with_indices: bool = False,
        with_rank: bool = False,
        input_columns: Any = None,
        batched: bool = False,
        batch_size: int | None = _BATCH,
        remove_columns: Any = None,
        fn_kwargs: Any = None,
        **_: Any,
    ) -> Dataset:
        """Each row, or each batch of columns, with what a function makes of it."""
        left, options = set(_listed(remove_columns)), fn_kwargs or {}

        def asked(part: Row, place: Any) -> Row:
            given = [part[name] for name in _listed(input_columns)] if input_columns is not None else [dict(part)]
            more = ([place] if with_indices else []) + ([0] if with_rank else [])
            return function(*given, *more, **options) or {}

        kept = {name: values for name, values in self._columns.items() if name not in left}
        if not batched:
            made = [asked(self._row(number), number) for number in range(len(self))]
            return self._like({**kept, **columns_of([dict(one) for one in made])})
        found: dict[str, list[Any]] = {}
        rows = 0
        for start in range(0, len(self), batch_size or max(len(self), 1)):
            end = min(start + (batch_size or len(self)), len(self))
            part = {name: values[start:end] for name, values in self._columns.items()}
            batch = dict(asked(part, list(range(start, end))))
            for name in batch:
                found.setdefault(name, []).extend(batch[name])
                rows = len(found[name])
        if found and rows != len(self) and kept.keys() - found.keys():
            names = sorted(kept.keys() - found.keys())
            raise ValueError(f"columns {names} have {len(self)} rows and the function's {rows}: see remove_columns")
        return self._like({**kept, **found})

    def filter(
        self,
        function: Any = None,
        with_indices: bool = False,
        input_columns: Any = None,
        batched: bool = False,
        **_: Any,
    ) -> Dataset:
        """The rows that a function keeps; all of a made-up set where it would keep none."""
        if batched:
            flags = [bool(flag) for flag in function(dict(self._columns))]
        else:
            flags = []
            for number in range(len(self)):
                row = self._row(number)
                given = [row[name] for name in _listed(input_columns)] if input_columns is not None else [row]
                flags.append(bool(function(*given, *([number] if with_indices else []))))
        if self._made_up and not any(flags):
            return self
        return self.select([number for number, flag in enumerate(flags) if flag])

    def select(self, indices: Any, **_: Any) -> Dataset:
        """Some rows; of a made-up set those that there are."""
        places = [int(place) for place in indices]
        if self._made_up:
            places = [place for place in places if place < len(self)] or list(range(len(self)))
        return self._like({name: [values[place] for place in places] for name, values in self._columns.items()})

    def take(self, n: int) -> Dataset:
        """The first rows."""
        return self.select(range(min(n, len(self))))

    def skip(self, n: int) -> Dataset:
        """The rows after the first ones."""
        return self.select(range(min(n, len(self)), len(self)))

    def shard(self, num_shards: int, index: int, **_: Any) -> Dataset:
        """Every n-th row."""
        return self.select(range(index, len(self), num_shards))

    def shuffle(self, seed: int | None = None, **_: Any) -> Dataset:
        """The rows in a random order."""
        places = list(range(len(self)))
        random.Random(seed).shuffle(places)
        return self.select(places)

    def sort(self, column_names: Any, reverse: bool = False, **_: Any) -> Dataset:
        """The rows by their values in a column."""
        values = self._columns[_listed(column_names)[0]]
        return self.select(sorted(range(len(self)), key=values.__getitem__, reverse=bool(reverse)))

    def train_test_split(
        self, test_size: Any = None, train_size: Any = None, shuffle: bool = True, seed: int | None = None, **_: Any
    ) -> DatasetDict:
        """The rows in two parts; a made-up set that has not as many rows is cut at four fifths."""
        whole = len(self)
        held = test_size if test_size is not None else 0.25 if train_size is None else None
        if held is None:
            held = whole - train_size if isinstance(train_size, int) else 1 - train_size
        count = held if isinstance(held, int) else round(held * whole)
        if self._made_up and not 0 < count < whole:
            count = whole // 5
        rows = self.shuffle(seed) if shuffle else self
        return DatasetDict(train=rows.select(range(whole - count)), test=rows.select(range(whole - count, whole)))

    def rename_column(self, original_column_name: str, new_column_name: str, **_: Any) -> Dataset:
        """One column under another name."""
        return self.rename_columns({original_column_name: new_column_name})

    def rename_columns(self, column_mapping: Any, **_: Any) -> Dataset:
        """Columns under other names."""
        made = self._like({column_mapping.get(name, name): values for name, values in self._columns.items()})
        made.features.update({new: self.features[old] for old, new in column_mapping.items()})
        return made

    def remove_columns(self, column_names: Any, **_: Any) -> Dataset:
        """Without some columns."""
        left = _listed(column_names)
        if absent := [name for name in left if name not in self._columns]:
            raise ValueError(f"Column name {absent} not in the dataset. Current columns: {self.column_names}")
        return self._like({name: values for name, values in self._columns.items() if name not in left})

    def select_columns(self, column_names: Any, **_: Any) -> Dataset:
        """Some columns only."""
        return self._like({name: self._columns[name] for name in _listed(column_names)})

    def add_column(self, name: str, column: Any, **_: Any) -> Dataset:
        """One column more."""
        return self._like({**self._columns, name: list(column)})

    def add_item(self, item: Row, **_: Any) -> Dataset:
        """One row more."""
        return self._like({name: [*values, item.get(name)] for name, values in self._columns.items()})

    def cast(self, features: Any, **_: Any) -> Dataset:
        """With features that are given."""
        made = self._like(self._columns)
        made.features.update({name: feature for name, feature in features.items() if name in made._columns})
        return made

    def cast_column(self, column: str, feature: Any, **_: Any) -> Dataset:
        """With another feature for a column."""
        return self.cast({column: feature})

    def class_encode_column(self, column: str, **_: Any) -> Dataset:
        """A column's values by their number."""
        names = sorted({str(value) for value in self._columns[column]})
        made = self._like({**self._columns, column: [names.index(str(value)) for value in self._columns[column]]})
        made.features[column] = ClassLabel(names=names)
        return made

    def unique(self, column: str) -> list[Any]:
        """The values of a column, each once."""
        return list(dict.fromkeys(self._columns[column]))

    def set_format(
        self, type: str | None = None, columns: Any = None, output_all_columns: bool = False, **_: Any
    ) -> None:
        """From now on rows are tensors, arrays or plain values, and of some columns; or all, the others as they are."""
        self._format, self._shown = type, None if columns is None else _listed(columns)
        self._plain = output_all_columns

    def with_format(
        self, type: str | None = None, columns: Any = None, output_all_columns: bool = False, **_: Any
    ) -> Dataset:
        """The same rows in another form."""
        made = self._like(self._columns)
        made.set_format(type, columns, output_all_columns)
        return made

    def reset_format(self) -> None:
        """Rows are plain values again."""
        self._format = self._shown = self._transform = None
        self._plain = False

    def set_transform(self, transform: Any, columns: Any = None, **_: Any) -> None:
        """From now on a function makes the rows when they are asked for."""
        self._transform, self._shown = transform, None if columns is None else _listed(columns)

    def with_transform(self, transform: Any, columns: Any = None, **_: Any) -> Dataset:
        """The same rows, made by a function when they are asked for."""
        made = self._like(self._columns)
        made.set_transform(transform, columns)
        return made

    def to_dict(self, **_: Any) -> dict[str, list[Any]]:
        """The columns."""
        return dict(self._columns)

    def to_list(self) -> list[Row]:
        """The rows."""
        return [self._row(number) for number in range(len(self))]

    def to_iterable_dataset(self, **_: Any) -> Any:
        """As a stream."""
        from .streams import IterableDataset

        return IterableDataset(self)

    def flatten_indices(self, *_: object, **__: object) -> Dataset:
        """The rows lie in order."""
        return self

    def save_to_disk(self, *args: object, **options: object) -> None:
        """Nothing is written."""

    push_to_hub = to_csv = to_json = to_parquet = save_to_disk


class DatasetDict(dict[str, Any]):
    """Data sets by split; what is done to it is done to each."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not (method := getattr(Dataset, name, None)):
            raise AttributeError(name)
        if isinstance(method, property):
            return {split: getattr(part, name) for split, part in self.items()}

        def each(*args: Any, **options: Any) -> DatasetDict:
            return type(self)({split: getattr(part, name)(*args, **options) for split, part in self.items()})

        return each


def concatenate_datasets(dsets: Any, axis: int = 0, **_: Any) -> Dataset:
    """The rows of one after those of another, or columns beside each other."""
    parts = list(dsets)
    if axis == 1:
        return parts[0]._like({name: values for part in parts for name, values in part._columns.items()})
    names = parts[0].column_names
    return parts[0]._like({name: list(itertools.chain(*(part._columns[name] for part in parts))) for name in names})
