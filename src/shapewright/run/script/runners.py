"""Which scripts of a project run a file that only defines classes and functions: those that import it, directly or by
way of others like it, or by a name that is put together (`import_module("models." + args.model)`), which they are given
then. It runs nothing and imports no torch."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from .notebook import NotANotebook, join_cells
from .reading import does_something, files_below, on_disk
from .sources import project_of

MOST = 400  # files that are read
LARGE = 1 << 20  # bytes of code
DRAWN = 1 << 25  # bytes of a notebook, whose pictures count
BY_NAME = ("import_module", "__import__")


def runners(script: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The scripts and notebooks that do something when they are run and that import `script`, nearest first, each with
    the arguments that have it do so."""
    path = os.path.abspath(script)
    root = project_of(os.path.dirname(path))
    files = list(islice(_nearby(path, root), MOST))
    texts = {file: _text(file) for file in files}
    wanted, seen = [path], {path}
    while wanted:
        target = wanted.pop(0)
        for file in files:
            if file in seen or (given := _imports(file, texts[file], target, root)) is None:
                continue
            seen.add(file)
            if does_something(texts[file]):
                yield os.path.join(os.path.dirname(script), os.path.relpath(file, os.path.dirname(path))), given
            else:
                wanted.append(file)


def _nearby(path: str, root: str) -> Iterator[str]:
    """The Python files and notebooks of a project, those in the folder of `path` first, then those above it."""
    folder, seen = os.path.dirname(path), set()
    while True:
        for file in files_below(folder, ("setup.py", "conftest.py")):
            if file not in seen:
                seen.add(file)
                yield file
        if folder == root or os.path.dirname(folder) == folder:
            return
        folder = os.path.dirname(folder)


def _text(file: str) -> str:
    """A file's code; empty where it cannot be read or is larger than code that a person wrote."""
    try:
        book = file.endswith(".ipynb")
        if os.path.getsize(file) > (DRAWN if book else LARGE):
            return ""
        return join_cells(Path(file).read_bytes())[0] if book else on_disk(file) or ""
    except (OSError, NotANotebook):
        return ""


def _imports(file: str, text: str, target: str, root: str) -> tuple[str, ...] | None:
    """The arguments with which a file of this text imports the module that `target` is; `None` where it does not."""
    module = os.path.splitext(target)[0]
    module = os.path.dirname(module) if os.path.basename(module) == "__init__" else module
    stem = os.path.basename(module)
    stated = re.search(rf"^\s*(?:from|import)\b.*\b{re.escape(stem)}\b", text, re.MULTILINE)
    if not stated and not any(name in text for name in BY_NAME):
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    for node in ast.walk(tree):
        given: tuple[str, ...] = ()
        if isinstance(node, ast.Import):
            named = [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            of = node.module or ""
            named = [(node.level, name) for name in (of, *(f"{of}.{alias.name}".strip(".") for alias in node.names))]
        elif isinstance(node, ast.Call) and node.args and _called(node) in BY_NAME:
            prefix, flag = _put_together(node.args[0], tree)
            if flag and not any(isinstance(one, ast.Constant) and one.value == flag for one in ast.walk(tree)):
                continue
            named, given = [(0, prefix + stem if flag else prefix)], (flag, stem) if flag else ()
        else:
            continue
        if any(module in _places(file, level, name, root) for level, name in named if name):
            return given
    return None


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def _put_together(node: ast.expr, tree: ast.AST) -> tuple[str, str]:
    """How the name of a module begins, and the argument of the script that it goes on with, empty where it is whole.

    >>> tree = ast.parse("kind = args.model; import_module('model.' + kind)")
    >>> _put_together(tree.body[1].value.args[0], tree)
    ('model.', '--model')
    """
    if isinstance(node, ast.Constant):
        return str(node.value), ""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else getattr(node, "values", [])
    if len(parts) != 2 or not isinstance(parts[0], ast.Constant):
        return "", ""
    last = getattr(parts[1], "value", parts[1]) if isinstance(parts[1], ast.FormattedValue) else parts[1]
    if isinstance(last, ast.Name):  # where it was read before
        bound = (one for one in ast.walk(tree) if isinstance(one, ast.Assign) and isinstance(one.value, ast.Attribute))
        last = next((one.value for one in bound if getattr(one.targets[0], "id", "") == last.id), last)
    return (str(parts[0].value), f"--{last.attr}") if isinstance(last, ast.Attribute) else ("", "")


def _places(file: str, level: int, name: str, root: str) -> Iterator[str]:
    """Where a module of a name may lie for a file that imports it, relative to the package `level` folders up or, with
    0, on Python's path."""
    folder, parts = os.path.dirname(file), name.split(".")
    if level:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        yield os.path.join(folder, *parts)
        return
    while True:
        yield os.path.join(folder, *parts)
        if folder == root or os.path.dirname(folder) == folder:
            break
        folder = os.path.dirname(folder)
    yield os.path.join(root, "src", *parts)
