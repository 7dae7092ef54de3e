"""The commands by which the author of a project starts a script: those that its notes and shell scripts show, and the
words that it takes from `sys.argv`. It reads text only."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Iterator

from ..stand_ins.filling import MADE
from .sources import project_of

NOTES = ("readme", "makefile", "justfile")
ENDINGS = (".md", ".rst", ".sh", ".bash")
MOST, LARGEST, DEEPEST = 60, 200_000, 3  # files, their characters, folders below the project's
STARTED = re.compile(
    r"\b(?:python[\d.]*|torchrun|accelerate\s+launch)\s(?P<before>[^\n|;&#]*?)"
    r"(?P<file>[\w./\\-]+\.py)(?=[\s`'\"]|$)(?P<rest>[^\n|;&#`]*)"
)
LEFT_OPEN = re.compile(r"\[(?!\s*-)[^\[\]\n]+\]|<[^<>\n]+>|\{[^{}\n]+\}")  # what the reader is to put in
MAY_BE = re.compile(r"\[\s*-[^\[\]\n]*\]")  # what may be left out
OPEN = re.compile(r"[<>\[\]{}$*…]|\.\.\.|^-h$|^--help$")  # what the reader is to put in, or only asks


def commands(script: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The folder and the arguments of each command with arguments that starts `script`, those that train first; where
    each leaves something open, with a word that was made up for it."""
    path = os.path.realpath(script)
    found: dict[tuple[str, tuple[str, ...]], None] = {}
    filled: dict[tuple[str, tuple[str, ...]], None] = {}
    for file in _notes(project_of(os.path.dirname(path))):
        try:
            with open(file, encoding="utf-8", errors="ignore") as handle:
                text = handle.read(LARGEST)
        except OSError:
            continue
        for words, known in ((text, found), (LEFT_OPEN.sub(MADE, MAY_BE.sub("", text)), filled)):
            for name, arguments in given(words):
                if folder := _folder(path, name):
                    known[folder, arguments] = None
    yield from sorted(found or filled, key=lambda one: not any("train" in word for word in one[1]))


def given(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each script that a text starts with arguments, and these; none where the reader is to put something in.

    >>> list(given("    $ python tools/fit.py --width 8 \\\\\\n        --mode train > log.txt\\n"))
    [('tools/fit.py', ('--width', '8', '--mode', 'train'))]
    >>> list(given("Run `python fit.py --set NAME` or `python fit.py --set <name>`, then `python fit.py`"))
    [('fit.py', ('--set', 'NAME'))]
    """
    joined = re.sub(r"\\[ \t]*\n\s*", " ", text)
    for match in STARTED.finditer(joined):
        rest = re.split(r"\s[12]?>", match["rest"])[0].rstrip(" '\".,)")
        try:
            words = tuple(shlex.split(rest))
        except ValueError:
            continue
        if words and not any(OPEN.search(word) for word in words):
            yield match["file"].replace("\\", "/"), words


def positional(text: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Each word that a source takes from `sys.argv` by its place: the name that it is bound to, the type that it is
    made, and what it is compared with.

    >>> positional("import sys\\nif len(sys.argv) != 4: usage()\\nn = int(sys.argv[1])\\nif sys.argv[2] == 'fit': go()")
    (('n', 'int', ()), ('', '', ('fit',)), ('', '', ()))
    >>> positional("from sys import argv\\n_, source, rate = argv\\nrate = float(rate)")
    (('source', '', ()), ('rate', '', ()))
    """
    tree = ast.parse(text)
    found: dict[int, list[object]] = {}
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            first = 0 if _is_argv(node.value) else _slice(node.value)
            for at, part in enumerate(node.targets[0].elts, first) if first >= 0 else ():
                if at:
                    found.setdefault(at, [getattr(part, "id", ""), "", ()])
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Call) and _called(node.left) == "len":
            bound = getattr(node.comparators[0], "value", 0) if _is_argv(node.left.args[0]) else 0
            more = isinstance(node.ops[0], (ast.Gt, ast.LtE))
            if isinstance(bound, int) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.NotEq)):
                count = max(count, bound - 1 + more)
        elif isinstance(node, ast.Compare) and (at := _place(node.left)):
            words = tuple(word for one in node.comparators if isinstance(word := getattr(one, "value", None), str))
            found[at] = [*(found.get(at) or ["", ""])[:2], words]
        elif isinstance(node, ast.Assign) and (at := _place(node.value)):
            found[at] = [getattr(node.targets[0], "id", ""), _called(node.value), (found.get(at) or ["", "", ()])[2]]
        elif isinstance(node, ast.Call) and (at := _place(node)):
            found.setdefault(at, ["", _called(node), ()])[1] = _called(node)
        elif isinstance(node, ast.Subscript) and (at := _place(node)):
            found.setdefault(at, ["", "", ()])
    last = max([count, *found])
    return tuple(tuple(found.get(at, ["", "", ()])) for at in range(1, last + 1))  # type: ignore[misc]


def _is_argv(node: ast.expr) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "argv"


def _slice(node: ast.expr) -> int:
    """Where a part of `sys.argv` begins; -1 of anything else."""
    if not (isinstance(node, ast.Subscript) and _is_argv(node.value) and isinstance(node.slice, ast.Slice)):
        return -1
    first = getattr(node.slice.lower, "value", 0)
    return first if isinstance(first, int) else -1


def _place(node: ast.expr) -> int:
    """The place of the word of `sys.argv` that an expression is, as it is or made a number; 0 of anything else."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and _called(node) in ("int", "float", "str"):
        node = node.args[0]
    if not isinstance(node, ast.Subscript) or not _is_argv(node.value):
        return 0
    at = getattr(node.slice, "value", 0)
    return at if isinstance(at, int) and 0 < at < MOST else 0


def _called(node: ast.expr) -> str:
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def _folder(path: str, name: str) -> str:
    """The folder from which `name` is the script at `path`; empty where it is a script of another name."""
    name = os.path.normpath(name)
    ending = os.sep + name
    return path.removesuffix(ending) or os.sep if path.endswith(ending) else ""


def _notes(root: str) -> Iterator[str]:
    """The files of a project that may show how it is started, the nearest to its root first."""
    count = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if folder.removeprefix(root).count(os.sep) >= DEEPEST:
            folders.clear()
        for name in sorted(files):
            if name.lower().startswith(NOTES) or name.endswith(ENDINGS):
                yield os.path.join(folder, name)
                count += 1
                if count == MOST:
                    return
