"""A public data set in the classes of a module of data sets: the installed one, or what stands for it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from ..context import Context
from ..unknown import of_file
from .pictures import picture
from .rows import make_rows
from .slices import split_rows
from .table import SetDescription, find_set

MARK = "made up by shapewright"


def named(context: Context, module: ModuleType, path: str, name: Any, split: Any, streaming: bool) -> Any:
    """The set of a name, in all its splits or in those asked for; told, also where it is not known."""
    description = find_set(path, name)
    if description is None:
        context.note("unknown-dataset", name=path)
        context.made_up(path)
        context.loosen(tried=True)
        return of_file(path)
    context.few = True
    columns = ", ".join(description.columns)
    context.note("stand-in-dataset", name=path if name is None else f"{path}/{name}", columns=columns)
    return _answer(module, description, split, streaming)


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
    dataset.info.description = MARK
    features = dataset.features.copy()
    for column, feature in known.items():
        if feature is not None:
            features[column] = feature
    dataset = dataset.cast(features)
    dataset.info.description = MARK
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
