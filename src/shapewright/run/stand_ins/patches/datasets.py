"""`load_dataset(name)` of sets that are not cached: rows made up after the table. Local files and caches go the real
way."""

from __future__ import annotations

import itertools
import os
from types import ModuleType
from typing import Any

from ..context import Context
from ..sets.served import MARK, named

_BUILDERS = (
    "csv",
    "json",
    "text",
    "parquet",
    "imagefolder",
    "audiofolder",
    "arrow",
    "pandas",
    "webdataset",
    "sql",
    "xml",
    "generator",
)


def patch(module: ModuleType, context: Context) -> None:
    """Wrap `load_dataset` and keep everything in this process and off the user's disk."""
    original = module.load_dataset
    from datasets import arrow_dataset, config

    config.HF_DATASETS_OFFLINE = True
    _count_instead_of_hashing()
    module.disable_progress_bars()

    def load_dataset(path: Any, name: Any = None, *args: Any, **options: Any) -> Any:
        path = str(path)
        if path in _BUILDERS or os.path.exists(path) or _is_cached(path, config):
            options["num_proc"] = None
            return original(path, name, *args, **options)
        asked = options.get("split", args[2] if len(args) > 2 else None)
        return named(context, module, path, name, asked, bool(options.get("streaming")))

    module.load_dataset = load_dataset
    if getattr(module, "load", None) is not None:
        module.load.load_dataset = load_dataset
    kind = arrow_dataset.Dataset
    for method in ("map", "filter"):
        setattr(kind, method, _one_process(getattr(kind, method)))
    kind.select = _within(kind.select)
    kind.train_test_split = _shares(kind.train_test_split)
    skip = module.IterableDataset.skip
    module.IterableDataset.skip = lambda self, n: self if _is_stand_in(self) else skip(self, n)
    module.Dataset.push_to_hub = module.DatasetDict.push_to_hub = lambda self, *args, **options: None


def _count_instead_of_hashing() -> None:
    """Fingerprints serve a cache on disk that a check has no use for; hashing a tokenizer for each `map` takes
    seconds."""
    from datasets import fingerprint

    numbers = itertools.count(1)
    fingerprint.Hasher.hash = classmethod(lambda cls, value: f"{next(numbers):016x}")


def _is_cached(path: str, config: Any) -> bool:
    folder = os.path.join(str(config.HF_DATASETS_CACHE), path.replace("/", "___"))
    return os.path.isdir(folder)


def _one_process(method: Any) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        options.pop("num_proc", None)
        return method(self, *args, **options)

    return call


def _is_stand_in(dataset: Any) -> bool:
    return getattr(dataset.info, "description", "") == MARK


def _within(select: Any) -> Any:
    """`select(range(1000))` of a stand-in with 203 rows takes those that there are."""

    def call(self: Any, indices: Any, *args: Any, **options: Any) -> Any:
        if _is_stand_in(self):
            size = len(self)
            indices = [index for index in indices if index < size] or range(size)
        return select(self, indices, *args, **options)

    return call


def _shares(split: Any) -> Any:
    """A split into numbers of rows that a stand-in does not have becomes a split into four fifths and one."""

    def call(self: Any, *args: Any, **options: Any) -> Any:
        if _is_stand_in(self):
            asked = [
                value for value in (*args[:2], options.get("test_size"), options.get("train_size")) if value is not None
            ]
            if any(isinstance(value, int) for value in asked) and sum(asked) >= len(self):
                args = args[2:]
                options.update(test_size=0.2, train_size=None)
        return split(self, *args, **options)

    return call
