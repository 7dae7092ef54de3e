"""What an assertion of the source reads: the names in it, or the files and folders that have to be there. It changes no
node."""

from __future__ import annotations

import ast
import copy

SOUGHT = frozenset({"exists", "isfile", "isdir", "is_file", "is_dir", "lexists"})  # of `os.path` and of paths


def hook(test: ast.expr) -> tuple[str, list[ast.expr]]:
    """Which of the hooks an assertion's test is told to, and what is told with it; no hook for most tests.

    >>> hook(ast.parse("loss < 0.5", mode="eval").body)[0], hook(ast.parse("os.path.isfile(name)", mode="eval").body)[0]
    ('asserted', 'expected')
    """
    parts = list(ast.walk(test))
    calls = [part for part in parts if isinstance(part, ast.Call)]
    if isinstance(test, (ast.Compare, ast.BoolOp)) and not calls:
        if any(isinstance(part, ast.NamedExpr) for part in parts):
            return "", []
        return "asserted", [ast.Name(part.id, ast.Load()) for part in parts if isinstance(part, ast.Name)]
    named = [_listed(part) for part in parts if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)]
    asked = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in SOUGHT]
    places = [copy.deepcopy(call.args[0] if call.args else call.func.value) for call in asked]
    places += [place for place in named if place is not None]
    if not places:
        return "", []
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return "expected", [ast.Lambda(none, ast.List(places, ast.Load()))]  # asked again where the assertion fails


def _listed(test: ast.Compare) -> ast.expr | None:
    """The file whose name is looked for in a listing of its folder, `None` where none is."""
    call = test.comparators[0]
    if not (isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "listdir" and len(call.args) == 1):
        return None
    folder, name = (ast.FormattedValue(copy.deepcopy(part), -1, None) for part in (call.args[0], test.left))
    return ast.JoinedStr([folder, ast.Constant("/"), name])
