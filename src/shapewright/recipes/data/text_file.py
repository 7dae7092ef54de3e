"""Text from the user's files: plain text by line, JSONL or CSV by field, each plain or gzipped.

Every record keeps its line number, so that whoever rejects one can name it. Nothing is skipped in silence except blank
lines of plain text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..settings import UsageError
from .idx import unpacked


@dataclass(frozen=True)
class Record:
    """One record: `values` by field (plain text has the one field `text`), `line` counts from 1."""

    line: int
    values: dict[str, Any]


def decoded(path: str | Path) -> str:
    """A whole file as text. Raises `UsageError` naming the file, and the offset of a byte that is no UTF-8."""
    path = Path(path)
    content = unpacked(path)
    if not content.strip():
        raise UsageError(f"{path}: empty: {len(content)} bytes and no text (offset 0)")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}: no UTF-8 text: byte {content[error.start]:#04x} at offset {error.start} (line {line})"
        ) from error


def records(path: str | Path) -> Iterator[Record]:
    """The records of a `.jsonl`, `.json` (one object a line), `.csv`, `.tsv` or plain text file, `.gz` allowed behind
    it."""
    path = Path(path)
    text = decoded(path)
    kind = Path(path.name.removesuffix(".gz")).suffix.lower()
    if kind in (".jsonl", ".json", ".ndjson"):
        yield from json_lines(path, text)
    elif kind in (".csv", ".tsv"):
        yield from table(path, text, "\t" if kind == ".tsv" else ",")
    else:
        yield from (
            Record(number, {"text": line.strip()}) for number, line in enumerate(text.splitlines(), 1) if line.strip()
        )


def json_lines(path: Path, text: str) -> Iterator[Record]:
    """One JSON object a line."""
    offset = 0
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip():
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                place = offset + len(line[: error.pos].encode())
                raise UsageError(f"{path}:{number}: no JSON: {error.msg} at offset {place}") from error
            if not isinstance(value, dict):
                raise UsageError(
                    f"{path}:{number}: an object is wanted, this line (offset {offset}) holds {type(value).__name__}"
                )
            yield Record(number, value)
        offset += len(line.encode())


def table(path: Path, text: str, delimiter: str) -> Iterator[Record]:
    """A CSV with a heading."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        heading = next(reader)
        for row in reader:
            if not row:
                continue
            if len(row) != len(heading):
                raise UsageError(f"{path}:{reader.line_num}: {len(row)} fields where the heading has {len(heading)}")
            yield Record(reader.line_num, dict(zip(heading, row)))
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: {error}") from error


def column(path: str | Path, field: str = "text") -> list[str]:
    """One text field of every record, none of them empty. Raises `UsageError` naming file and line."""
    texts = []
    for record in records(path):
        if field not in record.values:
            raise UsageError(
                f"{path}:{record.line}: no field {field!r}; there are {', '.join(map(repr, record.values))}"
            )
        value = record.values[field]
        if not isinstance(value, str) or not value.strip():
            raise UsageError(
                f"{path}:{record.line}: the field {field!r} is "
                f"{'empty' if value in ('', None) or str(value).isspace() else type(value).__name__}, not text"
            )
        texts.append(value)
    if not texts:
        raise UsageError(f"{path}: no record behind the heading")
    return texts
