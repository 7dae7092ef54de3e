"""What a statement changed in place is not computed anew and thrown away."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .change import Change, tree_of

TEXTS = {
    "discarded": {
        "en": "with this change, the result of {op} would be discarded and {name} would stay unchanged",
        "es": "con este cambio, el resultado de {op} se descartaría y {name} quedaría sin modificar",
        "ja": "この変更では {op} の結果が捨てられ、{name} は書き換えられません",
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
