"""Reading what the user named: a script, a notebook or a folder. It runs nothing and imports no torch."""

from __future__ import annotations

import ast
import codecs
import errno
import os
import tokenize
import warnings
from collections.abc import Container, Iterator
from pathlib import Path

from ...dataclass import dataclass
from ...trace import Outcome, Site
from .excerpt import code_of
from .notebook import Cell, NotANotebook, join_cells
from .spelling import present

SKIPPED_FOLDERS = {"__pycache__", "node_modules", "site-packages", "venv", "env", "build", "dist"}
SKIPPED_FILES = {"__init__.py", "__main__.py", "setup.py", "conftest.py"}


@dataclass(frozen=True)
class Script:
    """A readable script: `path` as the user gave it, `text` its Python source (a notebook's code cells joined), `cells`
    where a notebook's lines came from (empty for a `.py` file)."""

    path: str
    text: str
    kind: str = "script"
    cells: tuple[Cell, ...] = ()

    def place(self, line: int) -> str:
        """`3:2` for the second line of a notebook's third cell, `40` for a line of a script."""
        for cell in reversed(self.cells):
            if line >= cell.first_line:
                return f"{cell.number}:{line - cell.first_line + 1}"
        return str(line)


def read(path: str, text: str | None = None) -> Script | Outcome:
    """The script at `path`, or the `incomplete` outcome that says why there is none.

    Args:
        path: as the user gave it.
        text: source that replaces the file's content (an edit under verification).
    """
    if text is not None:
        return _parsed(Script(path, text))
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        return _cannot("missing-file", file=path)
    except (OSError, ValueError) as error:
        return _cannot("unreadable-file", file=path, error=getattr(error, "strerror", None) or str(error))
    if path.endswith(".ipynb"):
        try:
            source, cells = join_cells(data)
        except NotANotebook as error:
            return _cannot("not-a-notebook", file=path, detail=str(error))
        return _parsed(Script(path, present(source), "notebook", cells))
    decoded = decode(path, data)
    return decoded if isinstance(decoded, Outcome) else _parsed(Script(path, present(code_of(decoded))))


def on_disk(path: str) -> str | None:
    """A source file's text, its encoding as it declares it; `None` where it cannot be read."""
    try:
        with tokenize.open(path) as stream:
            return stream.read()
    except (OSError, UnicodeError, SyntaxError):
        return None


def decode(path: str, data: bytes) -> str | Outcome:
    """The text of Python source bytes by PEP 263: a byte-order mark or a coding cookie decides, else UTF-8."""
    if b"\0" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        line = data[: data.index(b"\0")].count(b"\n") + 1
        return _cannot("null-bytes", Site(path, line), file=path, line=str(line))
    lines = iter(data.splitlines(keepends=True))
    encoding = "utf-8"
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return _cannot(
            "not-utf8",
            Site(path, line),
            file=path,
            encoding=_spelled(encoding),
            byte=f"0x{data[error.start]:02x}",
            line=str(line),
        )
    except LookupError:
        return _cannot("unknown-encoding", file=path, encoding=encoding)
    except SyntaxError as error:
        if "unknown encoding" in str(error):
            return _cannot("unknown-encoding", file=path, encoding=str(error).split(":", 1)[-1].strip())
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return _cannot(
            "not-utf8", Site(path, line), file=path, encoding="UTF-8", byte=f"0x{data[error.start]:02x}", line=str(line)
        )
    return _cannot("unknown-encoding", file=path, encoding=encoding)


def _spelled(encoding: str) -> str:
    return "UTF-8" if encoding.replace("_", "-").lower() in ("utf-8", "utf-8-sig") else encoding


def _parsed(script: Script) -> Script | Outcome:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(
                script.text,
                script.path,
                "exec",
                ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if script.kind == "notebook" else 0,
                dont_inherit=True,
            )
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        site = Site(script.path, line, column, error.end_lineno or line, error.end_offset or column)
        return _cannot(
            "syntax-error", site, file=script.path, message=error.msg or "invalid syntax", line=script.place(line)
        )
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return _cannot(
            "syntax-error", Site(script.path, 1), file=script.path, message=str(error) or type(error).__name__, line="1"
        )
    return script


def imported(text: str) -> frozenset[str]:
    """The top-level names of the modules that a source text imports anywhere; empty where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return frozenset(names)


def library_names(text: str, libraries: frozenset[str]) -> tuple[str, ...]:
    """What a source imports of `libraries`, as `module` or `module:name`, in order: `from transformers import X` is
    `transformers:X`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update((alias.name, None) for alias in node.names if alias.name.split(".")[0] in libraries)
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module
            and not node.level
            and node.module.split(".")[0] in libraries
        ):
            names.update((f"{node.module}:{alias.name}", None) for alias in node.names if alias.name != "*")
    return tuple(names)


def targets(path: str) -> list[str] | Outcome:
    """What to check for `path`: itself, or for a folder its scripts in order of their names.

    A folder's script is a `.py` file or notebook that does something when run and that no other file of the folder
    imports.
    """
    if not os.path.isdir(path):
        if os.path.exists(path) and not path.endswith((".py", ".ipynb", ".pyw")) and not _looks_like_python(path):
            return _cannot("not-a-script", file=path)
        return [path]
    if not os.access(path, os.R_OK | os.X_OK):
        return _cannot("unreadable-file", file=path, error=os.strerror(errno.EACCES))
    found: dict[str, str | None] = {}
    for file in files_below(path):
        script = read(file)
        found[file] = script.text if isinstance(script, Script) else None
    modules = set().union(*(_modules_named(text) for text in found.values() if text is not None)) if found else set()
    scripts = [
        file
        for file, text in found.items()
        if text is None or (Path(file).stem not in modules and does_something(text))
    ]
    return scripts or _cannot("empty-folder", file=path)


def files_below(path: str, skipped: Container[str] = SKIPPED_FILES) -> Iterator[str]:
    """The Python files and notebooks in a folder and below it, in order of their names; tests and files of some names
    are left out."""
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in SKIPPED_FOLDERS
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            if name.endswith((".py", ".ipynb")) and name not in skipped and not name.startswith((".", "test_")):
                yield os.path.join(folder, name)


def _modules_named(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(part for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            names.update((node.module or "").split("."))
            if node.level or node.module:
                names.update(alias.name for alias in node.names)
    return names


def does_something(text: str) -> bool:
    """Whether running the text does more than define names."""
    passive = (
        ast.Import,
        ast.ImportFrom,
        ast.FunctionDef,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
        ast.Try,
        ast.Pass,
    )
    return any(
        not isinstance(node, passive) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for node in ast.parse(text).body
    )


def _looks_like_python(path: str) -> bool:
    """A file without the usual ending counts as Python where its first line names python or its suffix is empty and it
    parses."""
    try:
        with open(path, "rb") as file:
            head = file.readline(200)
    except OSError:
        return True
    return (head.startswith(b"#!") and b"python" in head) or (
        not os.path.splitext(path)[1] and isinstance(read(path), Script)
    )


def _cannot(reason: str, site: Site | None = None, **fields: str) -> Outcome:
    return Outcome("incomplete", reason, fields, site)
