"""`load_dataset`: local files of plain formats, and public sets made up after the tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from shapewright.run.stand_ins.context import tell
from shapewright.run.stand_ins.sets import SetDescription, find_set, make_rows, split_rows

from .dataset import Dataset, DatasetDict, concatenate_datasets
from .features import ClassLabel, Image, Sequence, Translation


def load_dataset(
    path: str,
    name: str | None = None,
    data_dir: Any = None,
    data_files: Any = None,
    split: Any = None,
    streaming: bool = False,
    **options: Any,
) -> Any:
    """A public set by its name, or local files (`csv`, `json`, `text`, `parquet`)."""
    if path in ("csv", "json", "text", "parquet"):
        files = data_files if isinstance(data_files, dict) else {"train": data_files}
        tables = DatasetDict(
            {
                key: concatenate_datasets(
                    [_file(path, file) for file in ([value] if isinstance(value, str) else value)]
                )
                for key, value in files.items()
            }
        )
        return tables if split is None else tables[str(split).split("[")[0]]
    description = find_set(path, name)
    if description is None:
        tell("unknown-dataset", name=path)
        raise FileNotFoundError(f"data set {path} is not on this machine, and a check downloads nothing")
    tell("stand-in-dataset", name=path if name is None else f"{path}/{name}", columns=", ".join(description.columns))

    def part(asked: Any) -> Any:
        tables = []
        for piece in str(asked).split("+"):
            table = _table(description, piece.strip().split("[")[0])
            first, last = split_rows(piece.strip(), len(table))
            tables.append(table.select(range(first, last)))
        found = tables[0] if len(tables) == 1 else concatenate_datasets(tables)
        return found.to_iterable_dataset() if streaming else found

    if isinstance(split, (list, tuple)):
        return [part(piece) for piece in split]
    return part(split) if split is not None else DatasetDict({key: part(key) for key in description.splits})


def _file(kind: str, path: str) -> Dataset:
    if kind == "text":
        return Dataset({"text": Path(path).read_text(encoding="utf-8").splitlines()})
    if kind == "json":
        text = Path(path).read_text(encoding="utf-8")
        rows = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
        return Dataset.from_list(rows)
    import pandas

    return Dataset.from_pandas(pandas.read_csv(path) if kind == "csv" else pandas.read_parquet(path))


def _table(description: SetDescription, split: str) -> Dataset:
    if split not in description.splits:
        raise ValueError(f'Unknown split "{split}". Should be one of {list(description.splits)}.')
    rows, features = make_rows(description, split), {}
    for column, kind in description.columns.items():
        if not isinstance(kind, dict):
            continue
        if "classes" in kind:
            features[column] = ClassLabel(names=kind["classes"])
        elif "tags" in kind:
            features[column] = Sequence(ClassLabel(names=kind["tags"]))
        elif "languages" in kind:
            features[column] = Translation(kind["languages"])
        elif "image" in kind:
            from shapewright.run.stand_ins.sets.pictures import picture

            features[column] = Image()
            rows[column] = [picture(*value) for value in rows[column]]
    return Dataset(rows, features, made_up=True)


def load_from_disk(path: Any, **options: Any) -> Any:
    """Needs the library itself."""
    raise ModuleNotFoundError("No module named 'datasets'")


def load_dataset_builder(path: str, *args: Any, **options: Any) -> Any:
    """Needs the library itself."""
    raise ModuleNotFoundError("No module named 'datasets'")


def get_dataset_config_names(path: str, *args: Any, **options: Any) -> list[str]:
    """Only the default is known."""
    return ["default"]
