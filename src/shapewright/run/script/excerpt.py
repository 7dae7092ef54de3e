"""Excerpts: what a pasted fragment leaves out, so that the rest of it can be run. Runs nothing, imports no torch."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
import textwrap
from collections.abc import Iterator

from .notebook import plain_lines
from .spelling import parses

IMPORTS = {
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "optim": "from torch import optim",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "pd": "import pandas as pd",
    "DataLoader": "from torch.utils.data import DataLoader",
    "Dataset": "from torch.utils.data import Dataset",
    "TensorDataset": "from torch.utils.data import TensorDataset",
    "Variable": "from torch.autograd import Variable",
    "Tensor": "from torch import Tensor",
    "transforms": "from torchvision import transforms",
    "torchvision": "import torchvision",
    "datetime": "from datetime import datetime",
    **{name: f"import {name}" for name in ("os", "sys", "math", "random", "time", "copy", "json", "itertools")},
}
ALWAYS = frozenset(
    {*dir(builtins), "__file__", "__name__", "__builtins__", "__doc__", "get_ipython", "display", "In", "Out"}
)

DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LIBRARIES = sys.stdlib_module_names | {"torch", "numpy", "matplotlib"}  # which run nothing of the user's
SETTINGS = frozenset({"int", "float", "str", "bool", "list", "dict", "set", "tuple", "len", "range", "getattr"})

PROMPT = re.compile(r"\s*(?:>>>|In \[\d*\]:)(?: |$)")
CONTINUED = re.compile(r"\s*\.\.\.:?(?: |$)")
RAISED = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Warning|Iteration)\b")
SENTENCE = re.compile(r"[^\W\d_][^=()\[\]{}]*\s[^=()\[\]{}]*[.!?:,]\s*")  # words to a stop, and no sign of code


def unbound(text: str, starred: bool = False) -> tuple[str, ...]:
    """The names that a source reads and that nothing in it binds where it reads them, in order; none where it imports
    everything of a module, unless it is `starred` that are asked for: the names that may come of one.

    >>> unbound("x = torch.zeros(n)\\ny = [v for v in x]")
    ('torch', 'n')
    >>> unbound("def f():\\n    global q\\n    p = q = 1\\nq\\np")  # of which one is f's own
    ('p',)
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.alias) and node.name == "*" and not starred:
            return ()
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if called in ("exec", "globals", "update"):
                return ()
    asked, bound = _at_the_top(symtable.symtable(text, "", "exec"))
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    read.sort(key=lambda node: (node.lineno, node.col_offset))
    return tuple(dict.fromkeys(node.id for node in read if node.id in asked - bound - ALWAYS))


def _at_the_top(table: symtable.SymbolTable) -> tuple[set[str], set[str]]:
    """The names of the top level that a source reads, in any of its scopes, and those that it binds there."""
    whole, asked, bound = table.get_type() == "module", set[str](), set[str]()
    for symbol in table.get_symbols():
        if whole or symbol.is_global():
            asked |= {symbol.get_name()} if symbol.is_referenced() else set()
            given = symbol.is_assigned() or symbol.is_imported() or symbol.is_annotated()
            bound |= {symbol.get_name()} if given else set()
    for inner in table.get_children():
        more, others = _at_the_top(inner)
        asked |= more
        bound |= others
    return asked, bound


def late(text: str) -> tuple[str, ...]:
    """The imports at the top level of a notebook that an earlier cell counts on: its author ran the cells in another
    order.

    >>> late("def f():\\n    return math.pi\\nprint(f())\\nimport math, os\\nprint(os.name)")
    ('import math',)
    """
    tree, found = ast.parse(text), dict[str, None]()
    uses = [
        (node.id, node.lineno, isinstance(node.ctx, ast.Load)) for node in ast.walk(tree) if isinstance(node, ast.Name)
    ]
    for node in tree.body:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            name = (alias.asname or alias.name).split(".")[0]
            bound = any(one == name and not read for one, _, read in uses) or name == "*"
            if not bound and any(one == name and line < node.lineno for one, line, _ in uses):
                alone = ast.Import([alias]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [alias], 0)
                found[ast.unparse(alone)] = None
    return tuple(found)


def imports_for(names: tuple[str, ...]) -> tuple[str, ...]:
    """The imports that the usual names among `names` stand for."""
    return tuple(IMPORTS[name] for name in names if name in IMPORTS)


def code_of(text: str) -> str:
    """What of a pasted fragment is code, each line at its place: without its indentation and, where the text is no
    Python, without what IPython alone reads, prompts, answers, tracebacks, fences, dots and sentences. Any other text
    as it is.

    >>> code_of(">>> x = 1\\n>>> x\\n1\\n")
    'x = 1\\nx\\n\\n'
    """
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    text = textwrap.dedent(text) if first[:1] in (" ", "\t") else text
    if parses(text):
        return text
    pairs = zip(text.splitlines(), plain_lines(text))
    spoken = "\n".join("" if line.startswith(("%", "!")) else plain for line, plain in pairs) + "\n"
    if parses(spoken):
        return spoken
    lines = _fenced(text.splitlines())
    lines = _without_tracebacks(_answered(lines))
    lines = ["" if re.fullmatch(r"\s*\.{2,}\s*", line) and line.strip() != "..." else line for line in lines]
    if not parses("\n".join(lines)):
        lines = ["" if SENTENCE.fullmatch(line) and not parses(line) else line for line in lines]
    made = "\n".join(lines) + "\n"
    return made if any(line.strip() for line in lines) and parses(made) else text


def empty(given: str, code: str) -> list[int]:
    """The lines of a text that have nothing left in its code."""
    pairs = enumerate(zip(given.splitlines(), code.splitlines()), 1) if given is not code else ()
    return [number for number, (line, left) in pairs if line.strip() and not left.strip()]


def _fenced(lines: list[str]) -> list[str]:
    """Where code stands between fences, what lies beyond them is none."""
    if not any(line.lstrip().startswith("```") for line in lines):
        return lines
    kept, within = [], False
    for line in lines:
        fence = line.lstrip().startswith("```")
        kept.append(line if within and not fence else "")
        within ^= fence
    return kept


def _answered(lines: list[str]) -> list[str]:
    """Of a session with prompts, what was typed."""
    kept, typed = [], False
    for line in lines:
        prompt = PROMPT.match(line)
        more = CONTINUED.match(line) if typed else None
        found = prompt or more
        typed = found is not None
        kept.append(line[found.end() :] if found is not None else None)
    return [line or "" for line in kept] if any(map(PROMPT.match, lines)) else lines


def _without_tracebacks(lines: list[str]) -> list[str]:
    """Lines without what Python says of an error, from its first line to the message."""
    kept, within = [], False
    for line in lines:
        within |= line.startswith("Traceback (most recent call last)")
        kept.append("" if within else line)
        within &= not RAISED.match(line)
    return kept


def idle(text: str) -> str:
    """Why nothing of a source can be checked: `nothing-ran` where it only defines classes and functions beside its
    imports, constants and settings, `nothing-there` where it has nothing but imports; empty where it does something.

    >>> idle("import torch"), idle("def f(): pass\\nN = torch.device('cpu')"), idle("def f(): pass\\nN = f()")
    ('nothing-there', 'nothing-ran', '')
    >>> idle("import warnings\\nwarnings.simplefilter('ignore')\\ndef f(): pass"), idle("from own import f\\nf()")
    ('nothing-ran', '')
    >>> idle("from own import has\\nif has(): import torch\\ndef f(): pass"), idle("def f(): pass\\nif 1: f()")
    ('nothing-ran', '')
    """
    body = [node for node in ast.parse(text).body if not _constant(node)]
    if all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in body):
        return "nothing-there"
    named = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    settings = SETTINGS | {name for node in body for name in _bound_by(node)}
    only = all(_defines(node, named, settings) for node in body)
    return "nothing-ran" if only and named else ""


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that an import of Python's own modules, of torch or of numpy binds."""
    own = (isinstance(node, ast.ImportFrom) and not node.level and node.module) or ""
    for alias in node.names if isinstance(node, ast.Import) or own else ():
        if (own or alias.name).split(".")[0] in LIBRARIES:
            yield (alias.asname or alias.name).split(".")[0]


def _defines(node: ast.stmt, named: set[str], settings: set[str]) -> bool:
    """Whether a statement defines or settles something, be it under a condition (`if has_torch(): import torch`)."""
    if isinstance(node, DEFINING) or _settles(node, named, settings):
        return True
    if not isinstance(node, ast.If) or any(getattr(part, "id", "") in named for part in ast.walk(node.test)):
        return False
    return all(_defines(part, named, settings) for part in (*node.body, *node.orelse))


def _settles(node: ast.stmt, named: set[str], settings: set[str]) -> bool:
    """Whether a statement uses nothing that the source defines and calls nothing but what makes settings: a constant, a
    device, a filter of warnings, an import that is tried."""
    inner = list(ast.walk(node))
    if any(isinstance(part, ast.Name) and part.id in named for part in inner):
        return False
    if isinstance(node, ast.Expr) and getattr(getattr(node.value, "func", None), "id", "") == "print":
        calls = [ast.unparse(part.func) for part in inner if isinstance(part, ast.Call)]
        return all(call in ("print", "str", "format") or call.startswith("torch.cuda.") for call in calls)
    roots = [part.func for part in inner if isinstance(part, ast.Call)]
    for at, root in enumerate(roots):
        while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
            root = root.func if isinstance(root, ast.Call) else root.value
        roots[at] = root
    return isinstance(node, ast.Assign) or all(isinstance(root, ast.Name) and root.id in settings for root in roots)


def _constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
