"""Which library a name of the user's stands for, told by the imports of its file.

Pure: it reads texts and runs nothing. A name that no import binds belongs to no library.
"""

from __future__ import annotations

import ast
import functools

from .source import parsed, walk


@functools.lru_cache(maxsize=64)
def imported(root: ast.Module) -> dict[str, str]:
    """The dotted module, or member of one, that each name of a file is bound to.

    >>> imported(parsed("import numpy as n, torch.nn.functional as F"))
    {'n': 'numpy', 'F': 'torch.nn.functional'}
    """
    found: dict[str, str] = {}
    for node in walk(root):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return found


def library(text: str, expression: str) -> str:
    """The library that a dotted expression begins with, empty where it is none.

    >>> library("import torch.nn.functional as F", "F.softmax"), library("import torch", "x.softmax")
    ('torch', '')
    >>> library("import torch", "torch.sigmoid(x).flatten")
    ''
    """
    if "(" in expression:
        return ""  # a method of what a call returned
    return stands_for(parsed(text), expression).partition(".")[0]


def stands_for(root: ast.Module, expression: str) -> str:
    """The module, or member of one, that a dotted expression begins with, empty where it begins with neither."""
    return imported(root).get(expression.partition(".")[0], "")
