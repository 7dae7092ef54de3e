"""Turns edits into new texts, a unified diff, and, on request, files on disk."""

from __future__ import annotations

import difflib
import io
import os
import re
import stat
import tempfile
import tokenize
from collections import defaultdict
from pathlib import Path

from ..diagnosis.model import Edit


class Changed(Exception):
    """A file is not what was checked, or must not be written; the text says which and why, in data form."""

    def __init__(self, reason: str, file: str) -> None:
        super().__init__(f"{reason}: {file}")
        self.reason, self.file = reason, file


def edited(sources: dict[str, str], edits: tuple[Edit, ...]) -> dict[str, str]:
    """New texts, by file, of the files that the edits touch."""
    by_file = defaultdict(list)
    for edit in edits:
        by_file[edit.file].append(edit)
    return {file: applied(sources[file], tuple(found)) for file, found in by_file.items()}


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    """`text` with the edits made. Offsets are those of `text`; edits must not overlap.

    >>> applied("a = b\\n", (Edit("", 1, 5, 1, 6, "c"),))
    'a = c\\n'
    """
    starts = [0]
    for line in re.split(r"(?<=\n)", text):
        starts.append(starts[-1] + len(line))
    spans = sorted(
        ((starts[e.line - 1] + e.column - 1, starts[e.end_line - 1] + e.end_column - 1, e.replacement) for e in edits),
        reverse=True,
    )
    edge = len(text) + 1
    for start, end, replacement in spans:
        if end > edge:
            raise ValueError("edits overlap")
        text, edge = text[:start] + replacement + text[end:], start
    return text


def diff(sources: dict[str, str], texts: dict[str, str], context: int = 3) -> str:
    """A unified diff that `patch -p1` and `git apply` take."""
    parts = []
    for file, text in sorted(texts.items()):
        name = file.lstrip("/").replace(os.sep, "/")
        before, after = sources[file].splitlines(keepends=True), text.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", n=context):
            parts.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(parts)


def between(before: dict[str, str], after: dict[str, str]) -> tuple[Edit, ...]:
    """Line-wise edits that turn the old texts into the new ones."""
    made = []
    for file, text in after.items():
        old, new = before[file].splitlines(keepends=True), text.splitlines(keepends=True)
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                end = (i2 + 1, 1) if i2 < len(old) else (max(len(old), 1), len(old[-1]) + 1 if old else 1)
                made.append(Edit(file, i1 + 1, 1, *end, "".join(new[j1:j2])))
    return tuple(made)


def of_project(file: str, script: str) -> bool:
    """Whether a file belongs to the script's project: below its folder, or below the nearest folder above that holds
    `.git`, `pyproject.toml` or `setup.py`; never an installed package."""
    path, folder = Path(os.path.realpath(file)), Path(os.path.realpath(script)).parent
    root = next(
        (
            up
            for up in (folder, *folder.parents)
            if any((up / mark).exists() for mark in (".git", "pyproject.toml", "setup.py"))
        ),
        folder,
    )
    return root in path.parents and not {"site-packages", "dist-packages"} & set(path.parts)


def write(changes: dict[str, tuple[str, str]]) -> None:
    """Replace files atomically: each is the old one or the new one at every moment, with its permissions kept. Nothing
    is replaced before all new texts lie on the disk beside their files; where a replacement fails, those already made
    are taken back.

    Args:
        changes: by path, the text that was checked and the new text. A file that says something else by now is refused.

    Raises:
        Changed: `changed`, `read-only` or `missing`; no file was touched then.
    """
    made: list[tuple[Path, str, bytes]] = []
    done: list[tuple[Path, bytes]] = []
    try:
        for file, (before, after) in changes.items():
            path = Path(os.path.realpath(file))
            old = _checked(path, file, before)
            made.append((path, _beside(path, _body(old, before, after)), old))
        for path, temporary, old in made:
            os.replace(temporary, path)
            done.append((path, old))
    except BaseException:
        for path, old in done:
            os.replace(_beside(path, old), path)
        raise
    finally:
        for _, temporary, _ in made:
            if os.path.exists(temporary):
                os.unlink(temporary)


def _checked(path: Path, file: str, before: str) -> bytes:
    """The bytes of a file that may be replaced."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise Changed("missing", file) from error
    if _plain(raw.decode(_encoding(raw))) != _plain(before):
        raise Changed("changed", file)
    if not os.access(path, os.W_OK) or not path.stat().st_mode & stat.S_IWUSR or not os.access(path.parent, os.W_OK):
        raise Changed("read-only", file)
    return raw


def _beside(path: Path, body: bytes) -> str:
    """A file in the same folder, on the disk, with the permissions and the owner of `path`."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(handle, "wb") as stream:
        stream.write(body)
        stream.flush()
        os.fsync(stream.fileno())
    status = path.stat()
    os.chmod(temporary, stat.S_IMODE(status.st_mode))
    if hasattr(os, "chown") and os.geteuid() == 0:
        os.chown(temporary, status.st_uid, status.st_gid)
    return temporary


def _body(raw: bytes, before: str, after: str) -> bytes:
    """The new bytes: lines that stay keep their own ends, new lines take the file's first."""
    encoding = _encoding(raw)
    old = _lines(raw.decode(encoding))
    newline = "\r\n" if old and old[0].endswith("\r\n") else "\n"
    was, now = _lines(_plain(before)), _lines(_plain(after))
    made: list[str] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        made += old[i1:i2] if tag == "equal" else [line.replace("\n", newline) for line in now[j1:j2]]
    return "".join(made).encode(encoding)


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)|(?<=\r)(?!\n)", text) if line]


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _encoding(raw: bytes) -> str:
    return tokenize.detect_encoding(io.BytesIO(raw).readline)[0]
