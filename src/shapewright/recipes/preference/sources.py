"""Numbered raw rows from a JSONL (also .gz), JSON, CSV or Parquet file, or a data set of the hub. Judges no row."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class SourceError(ValueError):
    """A source that cannot be read at all; the text names it and says why."""


def read_rows(name: str, start: int = 0, *, streamed: bool = False) -> Iterator[tuple[int, Any]]:
    """Rows with the lines that they begin on (from 1; a CSV's header is line 1; rows of JSON and Parquet are counted).
    A line that cannot be parsed comes as the exception it raised.

    Args:
        name: a file by its ending, or a name on the hub, `owner/name`, `owner/name:split` or
        `owner/name:configuration:split`.
        start: pass over so many rows, without parsing them where the format allows that.
        streamed: read a data set of the hub while it is used, in place of downloading it first.

    Raises:
        SourceError: no such file or data set, or the file is not of the kind its ending says.
    """
    path = Path(name)
    if path.is_dir():
        raise SourceError(f"{name} is a folder; name the file in it")
    if not path.is_file():
        if path.suffix in (".jsonl", ".json", ".csv", ".parquet", ".gz") or path.exists():
            raise SourceError(f"there is no file {name}")
        return _hub(name, start, streamed)
    kinds = [suffix for suffix in path.suffixes if suffix != ".gz"]
    kind = kinds[-1] if kinds else ""
    if kind == ".parquet":
        return _parquet(path, start)
    if kind not in (".jsonl", ".json", ".csv"):
        raise SourceError(f"{name} ends in neither .jsonl, .json, .csv nor .parquet (.gz allowed)")
    read = {".csv": _csv, ".json": _json, ".jsonl": _jsonl}[kind]
    return read(path, start)


def _open(path: Path) -> io.TextIOBase:
    return (
        gzip.open(path, "rt", encoding="utf-8-sig", newline="")
        if path.suffix == ".gz"
        else open(path, encoding="utf-8-sig", newline="")
    )


def _jsonl(path: Path, start: int) -> Iterator[tuple[int, Any]]:
    """Lines are divided as bytes, so that one in another encoding costs that line alone (and a line separator within a
    text divides nothing)."""
    try:
        with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
            for line, content in enumerate(file, 1):
                if not content.strip():
                    continue
                if start:
                    start -= 1
                    continue
                try:
                    yield line, json.loads(content.decode("utf-8-sig" if line == 1 else "utf-8"))
                except UnicodeDecodeError as error:
                    yield line, ValueError(f"not UTF-8 text ({error.reason})")
                except (ValueError, RecursionError) as error:
                    yield line, ValueError(f"not JSON ({getattr(error, 'msg', error)})")
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} cannot be read to its end: {error}") from error


def _json(path: Path, start: int) -> Iterator[tuple[int, Any]]:
    try:
        with _open(path) as file:
            rows = json.load(file)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise SourceError(f"{path} is not JSON: {error}") from error
        yield from _jsonl(path, start)
        return
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise SourceError(f"{path} cannot be read to its end: {error}") from error
    if not isinstance(rows, list):
        raise SourceError(f"{path} holds {type(rows).__name__}, not a list of rows")
    yield from enumerate(rows[start:], start + 1)


def _csv(path: Path, start: int) -> Iterator[tuple[int, Any]]:
    """Records by the line that they begin on. One with more or fewer fields than the header is an unquoted comma's, and
    its texts are cut."""
    csv.field_size_limit(2**31 - 1)  # An answer may be longer than the 128 KiB that csv takes by itself.
    try:
        with _open(path) as file:
            reader = csv.reader(file)
            header, began = next(reader, []), reader.line_num + 1
            for fields in reader:
                line, began = began, reader.line_num + 1
                if start and fields:
                    start -= 1
                    continue
                row = dict(zip(header, fields))
                if "margin" in row:
                    row["margin"] = _number(row["margin"])
                if fields:
                    wrong = ValueError(
                        f"{len(fields)} fields, not the header's {len(header)} (a comma within a text needs quotes "
                        f"around it)"
                    )
                    yield line, row if len(fields) == len(header) else wrong
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"{path} cannot be read to its end: {error}") from error


def _number(text: str) -> float | str | None:
    try:
        return float(text) if text.strip() else None
    except ValueError:
        return text


def _parquet(path: Path, start: int) -> Iterator[tuple[int, Any]]:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise SourceError(f"{path}: reading Parquet needs pyarrow (pip install pyarrow)") from error
    try:
        table = pyarrow.parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} is not a Parquet file: {error}") from error
    line, groups = 0, list(range(table.num_row_groups))
    while groups and line + (size := table.metadata.row_group(groups[0]).num_rows) <= start:
        groups, line = groups[1:], line + size
    try:
        for batch in table.iter_batches(row_groups=groups):
            skipped = min(max(start - line, 0), len(batch))
            line += skipped
            for row in batch.slice(skipped).to_pylist():
                line += 1
                yield line, row
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read beyond row {line}: {error}") from error


def _hub(name: str, start: int, streamed: bool) -> Iterator[tuple[int, Any]]:
    try:
        from datasets import load_dataset
    except ModuleNotFoundError as error:
        raise SourceError(
            f"there is no file {name}; reading it from the hub needs datasets (pip install datasets)"
        ) from error
    repository, *parts = name.split(":")
    split, configuration = (parts or ["train"])[-1] or "train", parts[0] if len(parts) > 1 else None
    try:
        rows = load_dataset(repository, configuration, split=split, streaming=streamed)
    except (OSError, ValueError, RuntimeError) as error:
        raise SourceError(f"there is no file {name}, and the hub did not give it: {error}") from error
    return ((line, dict(row)) for line, row in enumerate(rows.skip(start) if start else rows, start + 1))
