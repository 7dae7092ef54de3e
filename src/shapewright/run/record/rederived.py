"""Keeps what the script computes of a series, row by row, with the statement that made it, so that a probe can play the
statement again with one number changed. It judges nothing."""

from __future__ import annotations

import ast
import contextlib
import functools
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch

from ...dataclass import dataclass
from ...trace import Site
from ..script.sources import UserSources
from .readable import readable
from .slices import Paths

FEWEST, LARGEST, KEPT, COLUMNS, STEPS = 32, 100_000, 24, 16, 512


@dataclass
class Made:
    """A statement that made rows of rows: its expression, what that reads, the rows, and where."""

    code: CodeType
    space: dict[str, Any]
    given: dict[str, Any]
    rows: torch.Tensor
    site: Site
    within: tuple[Site, ...]

    def again(self, name: str = "", at: int = 0, column: int = 0) -> torch.Tensor | None:
        """The rows, made anew, with one number of what is read changed."""
        given = {key: _anew(value) for key, value in self.given.items()}
        if name and not _change(given, name, at, column):
            return None
        made = table(eval(self.code, {**self.space, **given}))
        return made if made is not None and made.shape == self.rows.shape else None


class Rederived:
    """Told of what variables and columns of tables are bound to, until a model learns."""

    def __init__(self, sources: UserSources) -> None:
        self.sources = sources
        self.kept: list[Made] = []
        self.told = False
        self._known: set[tuple[str, int]] = set()

    def bound(self, frame: FrameType, line: int, value: object) -> None:
        """The statement at `line` of `frame` has made `value`."""
        place = (frame.f_code.co_filename, line)
        if place in self._known or len(self.kept) >= KEPT:
            return
        self._known.add(place)
        with torch._C.DisableTorchFunction():  # how many rows a tensor has is no call of the user's
            self._keep(frame, place, value)

    def _keep(self, frame: FrameType, place: tuple[str, int], value: object) -> None:
        """Keep a statement that made rows of rows."""
        rows, line = table(value), place[1]
        node = _statements(self.sources.read(place[0])).get(line) if rows is not None else None
        if rows is None or node is None:
            return
        paths = Paths(frame)
        expression = paths.visit(ast.parse(ast.unparse(node), mode="eval").body)
        spaces = (paths.given, frame.f_locals, frame.f_globals)
        names = {part.id for part in ast.walk(expression) if isinstance(part, ast.Name)}
        read = {name: space[name] for name in names for space in spaces[::-1] if name in space}
        given = {name: _anew(held) for name, held in read.items() if _like(held, len(rows))}
        if not given:
            return
        code = compile(ast.fix_missing_locations(ast.Expression(expression)), place[0], "eval")
        self.kept.append(Made(code, {**frame.f_globals, **read}, given, rows, self._at(node, place), self._calls(read)))

    def _at(self, node: ast.expr, place: tuple[str, int]) -> Site:
        return self.sources.lines(place[0], node.lineno, node.end_lineno or node.lineno)

    def _calls(self, read: dict[str, Any]) -> tuple[Site, ...]:
        """Where the user's functions among what a statement reads give something back."""
        codes = [held.__code__ for held in read.values() if isinstance(held, FunctionType)]
        codes = [code for code in codes if code.co_filename in self.sources.texts]
        found = []
        for code in codes:
            with contextlib.suppress(OSError):
                for node in ast.walk(ast.parse(self.sources.read(code.co_filename))):
                    if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
                        returns = (part for part in ast.walk(node) if isinstance(part, ast.Return))
                        found += [self.sources.lines(code.co_filename, part.lineno, part.lineno) for part in returns]
        return tuple(found[:2])


def table(value: Any) -> torch.Tensor | None:
    """Rows of real numbers, (rows, columns), in double precision; `None` of anything else."""
    if type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "to_numpy"):
        kinds = getattr(value, "select_dtypes", None)
        value = (kinds("number") if kinds is not None else value).to_numpy()
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 0) and value.dtype.kind == "f":
        value = torch.from_numpy(value.astype("float64"))
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or value.requires_grad or not value.dim():
        return None
    if not len(value) >= FEWEST or value.numel() > STEPS * LARGEST or not readable(value, value.numel()):
        return None
    rows = value.detach().double().reshape(len(value), -1)
    return rows if 0 < rows.shape[1] <= STEPS else None


def _like(value: Any, count: int) -> bool:
    """Whether a value is a series, or a few columns, of so many rows."""
    rows = table(value)
    return rows is not None and len(rows) == count and rows.shape[1] <= COLUMNS and rows.numel() <= LARGEST


def _anew(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value.copy()


def _change(given: dict[str, Any], name: str, at: int, column: int) -> bool:
    """Change one number of a table, and tell whether that could be done."""
    held = given[name]
    rows = table(held)
    if rows is None:
        return False
    amount = float(rows[:, column].nan_to_num().std()) or 1.0
    if type(held).__module__.partition(".")[0] == "pandas":
        numbered = held.select_dtypes("number").columns[column] if held.ndim > 1 else None
        series = held if numbered is None else held[numbered].copy()
        series.iloc[at] += amount
        if numbered is not None:
            held[numbered] = series
    else:
        held.reshape(len(held), -1)[at, column] += amount
    return True


@functools.lru_cache(maxsize=8)
def _statements(text: str) -> dict[int, ast.expr]:
    """The expressions that call something and are bound, by the lines of their statements."""
    bound = (node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Assign, ast.AnnAssign)))
    return {
        node.lineno: node.value
        for node in bound
        if node.value is not None and any(isinstance(part, ast.Call) for part in ast.walk(node.value))
    }
