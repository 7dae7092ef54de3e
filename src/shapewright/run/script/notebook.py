"""Turning a notebook into one Python source whose lines can be traced back to their cells. It runs nothing."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable

from ...dataclass import dataclass

FOREIGN_CELLS = {
    "bash",
    "sh",
    "script",
    "html",
    "javascript",
    "js",
    "latex",
    "markdown",
    "svg",
    "writefile",
    "file",
    "perl",
    "ruby",
    "cmd",
    "pypy",
    "python2",
    "R",
    "cython",
    "system",
    "sx",
    "!",
}
ASSIGNED_MAGIC = re.compile(r"^(\s*)([\w.,\s\[\]\"']+?)\s*=\s*([!%])\s*\S.*$")


ALONE = frozenset({"ls", "ll", "pwd", "clear", "who", "whos", "hist"})  # a line of nothing else
MAGICS = ALONE | {"cd", "mkdir", "rmdir", "cp", "mv", "rm", "cat", "less", "more", "man", "pip", "conda", "run"}
FUTURE = re.compile(r"from __future__ import [\w ,]+$")  # which only the first statements of a file may ask for
ERRORS = ("error", "pyerr")
TIMED = re.compile(r"^%time(?:it)?\s+(?=[^\s-])")


class NotANotebook(ValueError):
    """The bytes are no notebook; the text says why."""


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells (from 1), the line of the joined source at which it begins, and whether
    its saved output is an error."""

    number: int
    first_line: int
    fails: bool = False


def join_cells(data: bytes) -> tuple[str, tuple[Cell, ...]]:
    """The code cells of a notebook as one source, and where each begins. Magics and shell lines become comments, so
    that every line of a cell stays one line.

    Raises:
        NotANotebook: not JSON, or without a list of cells.
    """
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NotANotebook(f"not JSON ({error})") from error
    cells = document.get("cells") if isinstance(document, dict) else None
    if cells is None and isinstance(document, dict) and document.get("worksheets"):
        cells = [cell for sheet in document["worksheets"] for cell in sheet.get("cells", [])]
    if not isinstance(cells, list):
        raise NotANotebook("it has no cells")
    lines: list[str] = []
    starts: list[Cell] = []
    begun = False
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        text = "".join(source) if isinstance(source, list) else str(source)
        starts.append(Cell(number, len(lines) + 1, _fails(cell.get("outputs"))))
        for line in plain_lines(text):
            lines.append(f"# {line}" if begun and FUTURE.match(line) else line)
            begun = begun or bool(line.strip() and not line.lstrip().startswith("#") and not FUTURE.match(line))
        lines.append("")
    return "\n".join(lines) + "\n", tuple(starts)


def _fails(outputs: object) -> bool:
    """Whether an output of a cell is an error, and not that somebody stopped it."""
    told = [one for one in outputs if isinstance(one, dict)] if isinstance(outputs, list) else []
    return any(one.get("output_type") in ERRORS and one.get("ename") != "KeyboardInterrupt" for one in told)


def failing(cells: Iterable[Cell]) -> list[range]:
    """The lines of the cells whose saved output is an error."""
    known = list(cells)
    ends = [*(cell.first_line for cell in known[1:]), 1 << 30]
    return [range(cell.first_line, end) for cell, end in zip(known, ends) if cell.fails]


def plain_lines(text: str) -> list[str]:
    """A cell's lines as plain Python, magics commented out."""
    lines = [f"# {line}" if line in ALONE else line for line in text.splitlines()]
    try:
        ast.parse(text)
        return lines
    except (SyntaxError, ValueError):
        pass
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is not None and lines[first].startswith("%%"):
        magic = lines[first][2:].split()
        if magic and magic[0] in FOREIGN_CELLS:
            return ["# " + line for line in lines]
    result: list[str] = []
    depth, continued = 0, False  # inside brackets or after a backslash, `%` is an operator
    for line in _joined_shell(lines):
        inside = depth > 0 or continued
        result.append(line if inside else _plain(line))
        code = result[-1].split("#")[0]
        depth = max(0, depth + sum(map(code.count, "([{")) - sum(map(code.count, ")]}")))
        continued = code.rstrip().endswith("\\")
    return result


def _joined_shell(lines: list[str]) -> list[str]:
    """Lines that continue a shell line by a backslash are commented with it."""
    result: list[str] = []
    inside = False
    for line in lines:
        if inside:
            result.append("# " + line)
            inside = line.rstrip().endswith("\\")
            continue
        result.append(line)
        inside = line.lstrip().startswith(("!", "%")) and line.rstrip().endswith("\\")
    return result


def _reads(line: str) -> bool:
    try:
        ast.parse(line)
    except (SyntaxError, ValueError):
        return False
    return True


def _plain(line: str) -> str:
    stripped = line.lstrip()
    indent = line[: len(line) - len(stripped)]
    if TIMED.match(stripped):
        return indent + TIMED.sub("", stripped)
    if stripped.split(" ")[0] in MAGICS and not _reads(stripped):
        return f"{indent}pass  # {stripped}"
    if stripped.startswith(("!", "%")):
        return f"{indent}pass  # {stripped}" if indent else f"# {stripped}"
    assigned = ASSIGNED_MAGIC.match(line)
    if assigned and "==" not in line.split(assigned[3])[0]:
        return f"{assigned[1]}{assigned[2]} = []  # {stripped}"
    if re.match(r"^\?{1,2}[\w.]+$", stripped) or re.match(r"^[\w.]+\?{1,2}$", stripped):
        return f"{indent}pass  # {stripped}"
    return line
