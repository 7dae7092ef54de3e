"""Numbered raw rows from a JSONL (also .gz), JSON, CSV or Parquet file, or a data set of the hub. Judges no row."""

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class SourceError(ValueError):
    """A source that cannot be read at all; the text names it and says why."""


def read_rows(name: str) -> Iterator[tuple[int, Any]]:
    """Rows with their line numbers (from 1; a CSV's header is line 1). A line that cannot be parsed comes as the exception it raised.

    Args:
        name: a file by its ending, or a name on the hub, `owner/name` or `owner/name:split`.

    Raises:
        SourceError: no such file or data set, or the file is not of the kind its ending says.
    """
    path = Path(name)
    if not path.is_file():
        if path.suffix in (".jsonl", ".json", ".csv", ".parquet", ".gz") or path.exists():
            raise SourceError(f"there is no file {name}")
        return _hub(name)
    kinds = [suffix for suffix in path.suffixes if suffix != ".gz"]
    kind = kinds[-1] if kinds else ""
    if kind == ".parquet":
        return _parquet(path)
    if kind not in (".jsonl", ".json", ".csv"):
        raise SourceError(f"{name} ends in neither .jsonl, .json, .csv nor .parquet (.gz allowed)")
    return _csv(path) if kind == ".csv" else _json(path) if kind == ".json" else _jsonl(path)


def _open(path: Path) -> io.TextIOBase:
    return gzip.open(path, "rt", encoding="utf-8-sig") if path.suffix == ".gz" else open(path, encoding="utf-8-sig", newline="")


def _jsonl(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        with _open(path) as file:
            for line, text in enumerate(file, 1):
                if not text.strip():
                    continue
                try:
                    yield line, json.loads(text)
                except json.JSONDecodeError as error:
                    yield line, ValueError(f"not JSON ({error.msg})")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read to its end: {error}") from error


def _json(path: Path) -> Iterator[tuple[int, Any]]:
    with _open(path) as file:
        try:
            rows = json.load(file)
        except json.JSONDecodeError as error:
            if error.msg != "Extra data":
                raise SourceError(f"{path} is not JSON: {error}") from error
            rows = None
    if rows is None:
        yield from _jsonl(path)
        return
    if not isinstance(rows, list):
        raise SourceError(f"{path} holds {type(rows).__name__}, not a list of rows")
    yield from enumerate(rows, 1)


def _csv(path: Path) -> Iterator[tuple[int, Any]]:
    with _open(path) as file:
        reader = csv.DictReader(file)
        for row in reader:
            margin = row.get("margin")
            if isinstance(margin, str):
                row["margin"] = _number(margin)
            yield reader.line_num, row


def _number(text: str) -> float | str | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        return text


def _parquet(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise SourceError(f"{path}: reading Parquet needs pyarrow (pip install pyarrow)") from error
    try:
        table = pyarrow.parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is not a Parquet file: {error}") from error
    line = 0
    for batch in table.iter_batches():
        for row in batch.to_pylist():
            line += 1
            yield line, row


def _hub(name: str) -> Iterator[tuple[int, Any]]:
    try:
        from datasets import load_dataset
    except ModuleNotFoundError as error:
        raise SourceError(f"there is no file {name}; reading it from the hub needs datasets (pip install datasets)") from error
    repository, _, split = name.partition(":")
    try:
        rows = load_dataset(repository, split=split or "train")
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"there is no file {name}, and the hub did not give it: {error}") from error
    return ((line, dict(row)) for line, row in enumerate(rows, 1))
