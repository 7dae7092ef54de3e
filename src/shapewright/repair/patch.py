"""Turns edits into new texts, a unified diff, and, on request, files on disk."""

from __future__ import annotations

import difflib
import os
import stat
import tempfile
from collections import defaultdict
from pathlib import Path

from ..diagnosis.model import Edit
from .source import applied


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


def diff(sources: dict[str, str], texts: dict[str, str], context: int = 3) -> str:
    """A unified diff that `patch -p1` and `git apply` take."""
    parts = []
    for file, text in sorted(texts.items()):
        name = file.lstrip("/").replace(os.sep, "/")
        before, after = sources[file].splitlines(keepends=True), text.splitlines(keepends=True)
        for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", n=context):
            parts.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(parts)


def write(file: str, before: str, after: str) -> None:
    """Replace a file's text atomically: the file is the old one or the new one at every moment, with its permissions kept.

    Args:
        file: the path.
        before: the text that was checked; a file that says something else by now is refused.
        after: the new text.

    Raises:
        Changed: `changed`, `read-only` or `missing`.
    """
    path = Path(os.path.realpath(file))
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise Changed("missing", file) from error
    encoding = _encoding(raw)
    newline = _newlines(raw)
    if raw.decode(encoding).replace("\r\n", "\n").replace("\r", "\n") != before.replace("\r\n", "\n").replace("\r", "\n"):
        raise Changed("changed", file)
    if not os.access(path, os.W_OK) or not path.stat().st_mode & stat.S_IWUSR or not os.access(path.parent, os.W_OK):
        raise Changed("read-only", file)
    body = after.replace("\r\n", "\n")
    if newline == "\r\n":
        body = body.replace("\n", "\r\n")
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body.encode(encoding))
            stream.flush()
            os.fsync(stream.fileno())
        status = path.stat()
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        if hasattr(os, "chown") and os.geteuid() == 0:
            os.chown(temporary, status.st_uid, status.st_gid)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def _newlines(raw: bytes) -> str:
    return "\r\n" if b"\r\n" in raw else "\n"


def _encoding(raw: bytes) -> str:
    import io
    import tokenize

    return tokenize.detect_encoding(io.BytesIO(raw).readline)[0]
