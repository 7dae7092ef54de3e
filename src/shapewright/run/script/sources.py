"""Which files are the user's, what they say, and how a code position in them becomes a `Site`."""

from __future__ import annotations

import ast
import contextlib
import functools
import linecache
import os
import sys
import sysconfig
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, TracebackType

from ...trace import Event, ModuleFact, Site
from ..process.request import Size
from ..record.assume import Assumptions
from .excerpt import code_of, empty, late
from .executed import Executed
from .notebook import failing, join_cells
from .spelling import present, respelt

FOREIGN = ("site-packages", "dist-packages", ".venv", "venv", "node_modules", "__pycache__")
MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
ROOTS = (*MARKS, "README.md", "README.rst", "README", "LICENSE", "environment.yml", "Makefile")
DEEP = 6  # folders above a script that are looked at for the root of a project
# folders on Python's path that packages were installed into, whatever their name: `pip install --target`
INSTALLED = {folder for folder in {*sys.path} - {"", os.getcwd()} if any(Path(folder).glob("*.dist-info"))}
LIBRARIES = tuple(
    folder + os.sep
    for folder in {sysconfig.get_path(key) for key in ("stdlib", "platstdlib", "purelib", "platlib")} | INSTALLED
)  # also where Python lies below the project
BEFORE = frozenset(sys.path)
OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
LIBRARY = 100  # Python files from which on a package beside the script is a library
MANY = 32  # user files from which on only those are told in which something happened
Position = tuple[CodeType, int]


class UserSources:
    """The user's files: those of the script's project that are not an installed library, nor ours.

    Args:
        script: path of the script as the user gave it.
        replaced: texts that stand in for files on disk, by absolute path.
        sizes: smaller numbers with which they are run.
        cwd: the folder that `script` is meant from, by default the working folder.
        second: read them as what was written for Python 2.
    """

    def __init__(
        self,
        script: str,
        replaced: dict[str, str] | None = None,
        sizes: tuple[Size, ...] = (),
        cwd: str = "",
        second: bool = False,
    ) -> None:
        self.sizes, self.executed = sizes, Executed(sizes)
        self.script = script
        self.second = second
        self.script_path = os.path.abspath(os.path.join(cwd, script))
        self.root = os.path.dirname(self.script_path)
        self.project = project_of(self.root)
        self.start = self.root  # what the script's own imports begin at
        self.replaced = {os.path.abspath(path): text for path, text in (replaced or {}).items()}
        self.unread: tuple[str, ...] = ()  # names of functions that read what is not here
        self.passing: tuple[tuple[str, int], ...] = ()  # files and lines that are passed over where they fail
        self.texts: dict[str, str] = {}
        self.libraries: set[str] = set()  # packages of the project that are run as libraries
        self.respelt: list[tuple[str, int, str, str]] = []
        self.beside: dict[str, list[int]] = {}  # of a pasted text, the lines that are no code
        self.below: FrameType | None = None  # the frame that runs the script: no user's code lies under it
        self._sites: dict[tuple[Position, ...], tuple[Site, ...]] = {}
        self._lines: dict[tuple[str, int, int], Site] = {}
        self._given = os.path.dirname(script)

    def is_user(self, path: str) -> bool:
        """Whether `path` belongs to the user's project."""
        path = os.path.abspath(path)
        if path == self.script_path:
            return True
        if path.startswith((OURS, *LIBRARIES)):
            return False
        added = [
            os.path.abspath(entry) for entry in sys.path if entry not in BEFORE
        ]  # what the script put there itself
        own = any(
            path.startswith(folder + os.sep)
            and not any(part in FOREIGN for part in os.path.relpath(path, folder).split(os.sep))
            for folder in (self.project, *added)
        )
        library = library_of(path, self.root) if own else ""
        if library:
            self.libraries.add(os.path.basename(library))
        return own and not library

    def package(self, text: str) -> str:
        """The package that the script's relative imports need it to be in, as under `python -m`; empty where it has
        none. `start` is its folder then."""
        folder = os.path.dirname(self.script_path)
        found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
        levels, top = [node.level for node in found], os.path.basename(_package(folder))
        of_it = any((node.module or "").startswith(f"{top}.") for node in found)  # and a file of that name hides it
        if not any(levels) and not (top and of_it and os.path.isfile(os.path.join(folder, f"{top}.py"))):
            return ""
        parts: list[str] = []
        while os.path.basename(folder) and (
            len(parts) < max(levels) or os.path.isfile(os.path.join(folder, "__init__.py"))
        ):
            parts.insert(0, os.path.basename(folder))
            folder = os.path.dirname(folder)
        self.start = folder
        return ".".join(parts)

    def read(self, path: str) -> str:
        """The text of a user file (PEP 263 cookies honoured), remembered. Raises OSError, SyntaxError,
        UnicodeDecodeError."""
        path = os.path.abspath(path)
        if path not in self.texts:
            text = self.replaced.get(path)
            if text is not None and path == self.script_path and path.endswith(".ipynb"):
                with contextlib.suppress(OSError, ValueError), open(path, "rb") as notebook:
                    self.respelt += [(path, *one) for one in respelt(text, join_cells(notebook.read())[0])]
            if text is None:
                with tokenize.open(path) as handle:
                    given = handle.read()
                written = code_of(given)
                self.beside[path] = empty(given, written)
                text = present(written, self.second)
                self.respelt += (
                    [(path, *one) for one in respelt(text, written, self.second)] if text is not written else []
                )
            self.texts[path] = text
            if path.endswith(".ipynb"):  # whoever asks for the source of something defined in it is to find code
                linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
        return self.texts[path]

    def late(self, text: str) -> tuple[str, ...]:
        """The imports that a notebook has after what needs them."""
        return late(text) if self.script_path.endswith(".ipynb") else ()

    def passed(self, path: str) -> list[int]:
        """The lines of a file that are passed over where they fail."""
        shown = self.display(path)
        return [line for file, line in self.passing if file == shown]

    def failing(self) -> list[range]:
        """The lines of a notebook's cells that failed for its author."""
        if not self.script_path.endswith(".ipynb"):
            return []
        with open(self.script_path, "rb") as notebook:
            return failing(join_cells(notebook.read())[1])

    def told(self, happened: Iterable[Event | ModuleFact]) -> dict[str, str]:
        """What the user's files say, by their shown paths; of a large package only those in which something
        happened."""
        shown = {self.display(path): text for path, text in self.texts.items()}
        if len(shown) <= MANY:
            return shown
        used = {self.script, *(site.file for one in happened for site in one.stack)}
        return {file: text for file, text in shown.items() if file in used}

    def tell(self, assumptions: Assumptions) -> None:
        """Tell which lines were read in their present spelling, and how many of a pasted text are no code."""
        for path, line, old, new in self.respelt:
            assumptions.add("old-interface", site=Site(self.display(path), line), old=old, new=new)
        for path, lines in self.beside.items():
            if lines:
                assumptions.add("lines-left-out", site=Site(self.display(path), lines[0]), count=len(lines))

    def display(self, path: str) -> str:
        """The path as the user would write it: relative to what was given."""
        if path == self.script_path:
            return self.script
        below = os.path.relpath(path, self.root)
        return os.path.normpath(os.path.join(self._given, below)) if not os.path.isabs(self.script) else path

    def site(self, code: CodeType, lasti: int) -> Site:
        """The source span of the instruction at `lasti` of `code`."""
        line, end_line, column, end_column = (
            _positions(code)[lasti // 2] if lasti >= 0 else (code.co_firstlineno, None, None, None)
        )
        line = line or code.co_firstlineno
        end_line = end_line or line
        lines = _lines(self.texts.get(code.co_filename, ""))
        return Site(
            file=self.display(code.co_filename),
            line=line,
            column=_characters(lines, line, column or 0) + 1,
            end_line=end_line,
            end_column=_characters(lines, end_line, end_column or 0) + 1,
            function=code.co_name,
        )

    def remade(self, path: str) -> bool:
        """Whether a file is run with more changes than what is noted of it."""
        return bool(self.sizes or self.second or self.unread or self.passed(path))

    def stack(self, frame: FrameType | None) -> tuple[Position, ...]:
        """The user's code positions from the outermost frame to `frame`, cheaply: sites are made later by `site`."""
        found = []
        texts, below = self.texts, self.below
        while frame is not None and frame is not below:
            code = frame.f_code
            if code.co_filename in texts:
                found.append((code, frame.f_lasti))
            frame = frame.f_back
        found.reverse()
        return tuple(found)

    def span(self, path: str, line: int, column: int, end_line: int, end_column: int, function: str = "") -> Site:
        """A place that the syntax tree tells, whose columns are offsets of bytes."""
        lines = _lines(self.texts.get(path, ""))
        first, last = (_characters(lines, *part) + 1 for part in ((line, column), (end_line, end_column)))
        return Site(self.display(path), line, first, end_line, last, function)

    def lines(self, path: str, first: int, last: int) -> Site:
        """Some lines of a file, remembered: a loop asks for its own each time that it begins."""
        known = self._lines.get((path, first, last))
        if known is None:
            known = self._lines[path, first, last] = Site(self.display(path), first, 1, last, 1)
        return known

    def running(self, frame: FrameType | None) -> FrameType | None:
        """The innermost frame of the user's code."""
        while frame is not None and frame.f_code.co_filename not in self.texts:
            frame = frame.f_back
        return frame

    def innermost(self, frame: FrameType | None) -> Position | None:
        """The last of `stack`, without the others."""
        texts = self.texts
        while frame is not None:
            if frame.f_code.co_filename in texts:
                return frame.f_code, frame.f_lasti
            frame = frame.f_back
        return None

    def sites(self, positions: tuple[Position, ...]) -> tuple[Site, ...]:
        """Sites of code positions, remembered."""
        known = self._sites.get(positions)
        if known is None:
            known = self._sites[positions] = tuple(self.site(code, lasti) for code, lasti in positions)
        return known

    def traceback(self, trace: TracebackType | None) -> Iterator[Position]:
        """The user's code positions in a traceback, outermost first."""
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename in self.texts:
                yield code, trace.tb_lasti
            trace = trace.tb_next


def project_of(folder: str) -> str:
    """The nearest folder at or above `folder` that is marked as a project; else the topmost that looks like the root of
    one, or the one that holds the package of `folder`."""
    above = [folder]
    while os.path.dirname(above[-1]) != above[-1]:
        above.append(os.path.dirname(above[-1]))
    marked = next((up for up in above if any(os.path.exists(os.path.join(up, mark)) for mark in MARKS)), "")
    if marked and os.path.dirname(marked) != marked:
        return marked
    package = next(up for up in above if not os.path.isfile(os.path.join(up, "__init__.py")))
    return next((up for up in reversed(above[: DEEP + 1]) if is_root(up) and os.path.dirname(up) != up), package)


def is_root(folder: str) -> bool:
    """Whether a folder holds what the root of a project has."""
    return any(os.path.exists(os.path.join(folder, mark)) for mark in ROOTS)


def library_of(path: str, root: str) -> str:
    """The package of so many files that it is a library which `path` is in and the script's folder `root` is not: its
    repository's examples run it, and are what is checked. Empty where there is none."""
    package = _package(os.path.dirname(os.path.abspath(path)))
    return package if package and not f"{root}{os.sep}".startswith(package + os.sep) and _is_large(package) else ""


@functools.cache
def _package(folder: str) -> str:
    """The outermost package that a folder is, or lies in; empty where it is none."""
    above = os.path.dirname(folder)
    if above == folder or not os.path.isfile(os.path.join(folder, "__init__.py")):
        return ""
    return _package(above) or folder


@functools.cache
def _is_large(package: str) -> bool:
    count = 0
    for _, _, files in os.walk(package):
        count += sum(name.endswith(".py") for name in files)
        if count >= LIBRARY:
            return True
    return False


@functools.lru_cache(maxsize=4096)
def _positions(code: CodeType) -> tuple:
    return tuple(code.co_positions())


@functools.lru_cache(maxsize=64)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


def _characters(lines: tuple[str, ...], line: int, offset: int) -> int:
    """Turn a UTF-8 byte offset in a line into a count of characters."""
    if not 0 < line <= len(lines) or lines[line - 1].isascii():
        return offset
    return len(lines[line - 1].encode()[:offset].decode(errors="ignore"))
