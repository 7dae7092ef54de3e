"""`load_dataset(name)` of sets that are not cached: rows made up after the table. Local files and caches go the real
way."""

from __future__ import annotations

import itertools
import os
from types import ModuleType
from typing import Any

from ..context import Context
from ..sets import SetDescription, find_set, make_rows, split_rows
from ..sets.pictures import picture

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
_MARK = "made up by shapewright"


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
        description = find_set(path, name)
        if description is None:
            context.note("unknown-dataset", name=path)
            raise FileNotFoundError(f"data set {path} is not on this machine, and a check downloads nothing")
        context.few = True
        context.note(
            "stand-in-dataset", name=path if name is None else f"{path}/{name}", columns=", ".join(description.columns)
        )
        return _answer(
            module,
            description,
            options.get("split", args[2] if len(args) > 2 else None),
            bool(options.get("streaming")),
        )

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
    return getattr(dataset.info, "description", "") == _MARK


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


def _answer(module: ModuleType, description: SetDescription, split: Any, streaming: bool) -> Any:
    made: dict[str, Any] = {}

    def whole(name: str) -> Any:
        if name not in made:
            if name not in description.splits:
                raise ValueError(f'Unknown split "{name}". Should be one of {list(description.splits)}.')
            made[name] = _dataset(module, description, name)
        return made[name]

    def part(asked: object) -> Any:
        text = str(asked)
        pieces = [_slice(whole, piece.strip()) for piece in text.split("+")]
        found = pieces[0] if len(pieces) == 1 else module.concatenate_datasets(pieces)
        return found.to_iterable_dataset() if streaming else found

    if isinstance(split, (list, tuple)):
        return [part(piece) for piece in split]
    if split is not None and str(split) != "all":
        return part(split)
    kind = module.IterableDatasetDict if streaming else module.DatasetDict
    return kind({name: part(name) for name in description.splits})


def _slice(whole: Any, text: str) -> Any:
    dataset = whole(text.partition("[")[0])
    first, last = split_rows(text, len(dataset))
    return dataset if (first, last) == (0, len(dataset)) else dataset.select(range(first, last))


def _dataset(module: ModuleType, description: SetDescription, split: str) -> Any:
    rows = make_rows(description, split)
    known = {column: _feature(module, kind) for column, kind in description.columns.items()}
    for column, kind in description.columns.items():
        if isinstance(kind, dict) and "image" in kind:
            rows[column] = [picture(*value) for value in rows[column]]
    dataset = module.Dataset.from_dict(rows)
    dataset.info.description = _MARK
    features = dataset.features.copy()
    for column, feature in known.items():
        if feature is not None:
            features[column] = feature
    dataset = dataset.cast(features)
    dataset.info.description = _MARK
    return dataset


def _feature(module: ModuleType, kind: Any) -> Any:
    if not isinstance(kind, dict):
        return None
    if "classes" in kind:
        return module.ClassLabel(names=kind["classes"])
    if "tags" in kind:
        return module.Sequence(module.ClassLabel(names=kind["tags"]))
    if "image" in kind:
        return module.Image()
    if "languages" in kind:
        return module.Translation(languages=kind["languages"])
    return None
