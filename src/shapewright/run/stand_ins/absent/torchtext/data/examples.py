"""Rows of a data set, by their columns."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

from torch.utils import data as torch_data


class Example:
    """One row."""

    @classmethod
    def fromlist(cls, data: Any, fields: Any) -> Example:
        """From values in the order of the fields."""
        made = cls()
        for (name, field), value in zip(fields, data):
            if field is None:
                continue
            value = value.rstrip("\n") if isinstance(value, str) else value
            several = zip(name, field) if isinstance(name, tuple) else [(name, field)]
            for one, reader in several:
                setattr(made, one, reader.preprocess(value))
        return made

    @classmethod
    def fromdict(cls, data: dict[str, Any], fields: dict[str, Any]) -> Example:
        """From values by key; each key with its name and field."""
        made = cls()
        for key, pairs in fields.items():
            if key not in data:
                raise ValueError(f"Specified key {key} was not found in the input data")
            for name, field in pairs if isinstance(pairs, list) else [pairs]:
                setattr(made, name, field.preprocess(data[key]))
        return made

    @classmethod
    def fromJSON(cls, data: str, fields: dict[str, object]) -> Example:
        """From a line of JSON."""
        return cls.fromdict(json.loads(data), fields)

    @classmethod
    def fromCSV(cls, data: Any, fields: Any, field_to_index: dict[str, int] | None = None) -> Example:
        """From a line of a table, or its parts."""
        parts = next(csv.reader([data])) if isinstance(data, str) else data
        if field_to_index is None:
            return cls.fromlist(parts, fields)
        return cls.fromdict({name: parts[index] for name, index in field_to_index.items()}, fields)


class Dataset(torch_data.Dataset):
    """Examples and what reads their columns."""

    sort_key: Callable[[Any], Any] | None = None

    def __init__(self, examples: Any, fields: Any, filter_pred: Callable[[Example], bool] | None = None) -> None:
        self.examples = [one for one in examples if filter_pred is None or filter_pred(one)]
        self.fields = dict(fields)
        for name, field in list(self.fields.items()):
            if isinstance(name, tuple):
                self.fields.update(zip(name, field))
                del self.fields[name]

    def split(
        self,
        split_ratio: Any = 0.7,
        stratified: bool = False,
        strata_field: str = "label",
        random_state: Any = None,
    ) -> tuple[Dataset, ...]:
        """Parts of it, in a new order."""
        chance = random.Random()
        if random_state is not None:
            chance.setstate(random_state)
        shares = [split_ratio, 1 - split_ratio] if isinstance(split_ratio, float) else list(split_ratio)
        ends = [round(len(self) * sum(shares[:at]) / sum(shares)) for at in range(len(shares) + 1)]
        order = chance.sample(range(len(self)), len(self))
        parts = [[self.examples[at] for at in order[low:high]] for low, high in itertools.pairwise(ends)]
        if len(parts) == 3:  # given as train, test, validation
            parts = [parts[0], parts[2], parts[1]]
        made = tuple(Dataset(part, self.fields) for part in parts if part)
        for one in made:
            one.sort_key = self.sort_key
        return made

    def __getitem__(self, index: Any) -> Any:
        return self.examples[index]

    def __len__(self) -> int:
        return len(self.examples)

    def __iter__(self) -> Iterator[Example]:
        return iter(self.examples)

    def __getattr__(self, name: str) -> Any:
        if name in self.__dict__.get("fields", ()):
            return (getattr(one, name) for one in self.examples)
        raise AttributeError(name)

    @classmethod
    def download(cls, root: Any, check: Any = None) -> str:
        """The folder that what its addresses hold was put into; what is read of it is made up."""
        return os.path.join(root, getattr(cls, "name", ""), getattr(cls, "dirname", ""))

    @classmethod
    def splits(
        cls,
        path: Any = None,
        root: str = ".data",
        train: Any = None,
        validation: Any = None,
        test: Any = None,
        **options: Any,
    ) -> tuple[Any, ...]:
        """One for each file that is named."""
        return tuple(cls(os.path.join(path or root, name), **options) for name in (train, validation, test) if name)


class TabularDataset(Dataset):
    """A table in a file of the user's."""

    def __init__(
        self,
        path: Any,
        format: str,
        fields: Any,
        skip_header: bool = False,
        csv_reader_params: Any = None,
        **options: Any,
    ) -> None:
        with open(os.path.expanduser(path), encoding="utf8") as stream:
            made_up = hasattr(stream, "stands_for") and not isinstance(fields, dict)
            if format.lower() == "json":
                rows: Any = [json.loads(line) for line in stream if line.strip()]
            else:
                mark = "\t" if format.lower() == "tsv" else ","
                rows = list(csv.reader(stream, **{"delimiter": mark, **(csv_reader_params or {})}))
                rows = [row + row[-1:] * (len(fields) - len(row)) if made_up else row for row in rows]
        if isinstance(fields, dict):
            if rows and isinstance(rows[0], list):
                rows = [dict(zip(rows[0], row)) for row in rows[1:]]
            examples = [Example.fromdict(row, fields) for row in rows]
            fields = [pair for pairs in fields.values() for pair in (pairs if isinstance(pairs, list) else [pairs])]
        else:
            examples = [Example.fromlist(row, fields) for row in rows[bool(skip_header) :] if row]
        super().__init__(examples, [(name, field) for name, field in fields if field is not None], **options)
