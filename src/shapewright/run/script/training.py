"""Which files are worth a check that nobody asked for. It runs nothing and imports no torch."""

from __future__ import annotations

import ast

# what a script imports that trains with PyTorch, directly or by a library on top of it
LIBRARIES = frozenset(
    {"accelerate", "fastai", "ignite", "lightning", "peft", "pytorch_lightning", "timm", "torch", "torchvision"}
    | {"transformers", "trl"}
)


def trains(text: str) -> bool:
    """Whether a file is a script to be checked unasked: it imports PyTorch, or a library on top of it, and does
    something when it is run. A module of classes and functions does nothing by itself."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return _imports(tree) and any(_acts(node) for node in tree.body)


def _imports(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        if any(name.split(".")[0] in LIBRARIES for name in names):
            return True
    return False


def _acts(node: ast.stmt) -> bool:
    if isinstance(node, (ast.For, ast.While, ast.With)):
        return True
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, ast.If):  # `if __name__ == "__main__":`, and what else has calls below it
        return any(_acts(inner) for inner in node.body)
    return False
