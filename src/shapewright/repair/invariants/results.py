"""What a statement changed in place is not computed anew and thrown away."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .change import Change, tree_of

TEXTS = {
    "discarded": {
        "en": "the result of {op} is then discarded: {name} no longer changes",
        "es": "el resultado de {op} se descarta entonces: {name} ya no cambia",
        "ja": "修正後は {op} の結果が捨てられ、{name} が書き換えられなくなります",
    },
}


def broken(change: Change) -> Iterator[tuple[str, dict]]:
    """By the statements that are nothing but calls of methods, one on the other: the innermost one made the change."""
    for file, (gone, made) in change.lines.items():
        was = set(_calls(change.before.sources.get(file, ""), gone))
        for name, op in _calls(change.texts[file], made):
            if (name, f"{op}_") in was:
                yield "discarded", {"op": op, "name": name}


def _calls(text: str, lines: Iterable[int]) -> Iterator[tuple[str, str]]:
    """Of each such statement on these lines what the innermost method is called on, and its name."""
    for node in ast.walk(tree_of(text)):
        call = node.value if isinstance(node, ast.Expr) and node.lineno in lines else None
        while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            inner = call.func.value
            if not isinstance(inner, ast.Call):
                yield ast.unparse(inner), call.func.attr
            call = inner
