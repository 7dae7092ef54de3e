"""Excerpts: what a pasted fragment leaves out, so that the rest of it can be run. Runs nothing, imports no torch."""

from __future__ import annotations

import ast
import builtins
import textwrap

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
    **{name: f"import {name}" for name in ("os", "sys", "math", "random", "time", "copy", "json", "itertools")},
}
ALWAYS = frozenset(
    {*dir(builtins), "__file__", "__name__", "__builtins__", "__doc__", "get_ipython", "display", "In", "Out"}
)


def unbound(text: str) -> tuple[str, ...]:
    """The names that a source reads and that nothing in it binds, in order; none where it imports everything of a
    module.

    >>> unbound("x = torch.zeros(n)\\ny = [v for v in x]")
    ('torch', 'n')
    """
    tree = ast.parse(text)
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.alias):
            if node.name == "*":
                return ()
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            bound.update(node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
            "exec",
            "globals",
            "update",
        ):
            return ()
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    read.sort(key=lambda node: (node.lineno, node.col_offset))
    return tuple(dict.fromkeys(node.id for node in read if node.id not in bound and node.id not in ALWAYS))


def imports_for(names: tuple[str, ...]) -> tuple[str, ...]:
    """The imports that the usual names among `names` stand for."""
    return tuple(IMPORTS[name] for name in names if name in IMPORTS)


def dedented(text: str) -> str:
    """A fragment that was pasted with its indentation, without it; any other text as it is."""
    first = next((line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")), "")
    return textwrap.dedent(text) if first[:1] in (" ", "\t") else text


def defines_only(text: str) -> bool:
    """Whether a source only defines classes and functions beside its imports and constants."""
    kept = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    body = ast.parse(text).body
    return any(isinstance(node, ast.ClassDef | ast.FunctionDef) for node in body) and all(
        isinstance(node, kept)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and not any(isinstance(part, ast.Call) for part in ast.walk(node.value)))
        for node in body
    )
