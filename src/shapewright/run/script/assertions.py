"""What an assertion of the source, or a check that refuses to go on, reads: the names in it, or the files and folders
that have to be there. It changes no node."""

from __future__ import annotations

import ast
import copy

SOUGHT = frozenset({"exists", "isfile", "isdir", "is_file", "is_dir", "lexists"})  # of `os.path` and of paths

ENDING = frozenset({"exit", "quit", "_exit"})


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
    asked = [call for call in calls if getattr(call.func, "attr", getattr(call.func, "id", "")) in SOUGHT]
    asked = [call for call in asked if call.args or isinstance(call.func, ast.Attribute)]
    places = [copy.deepcopy(call.args[0] if call.args else call.func.value) for call in asked]
    places += [place for place in named if place is not None]
    if not places:
        return "", []
    none = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return "expected", [ast.Lambda(none, ast.List(places, ast.Load()))]  # asked again where the assertion fails


def check(node: ast.If) -> list[ast.expr]:
    """What the hook of files is told of a test one branch of which only refuses to go on: which outcome that is, and
    the places; nothing of other tests.

    >>> told = check(ast.parse("if not os.path.exists(name):\\n    raise ValueError(name)").body[0])
    >>> [ast.unparse(one) for one in told]
    ['lambda: [name]', 'True']
    >>> ast.unparse(check(ast.parse("if not isfile(name):\\n    raise ValueError(name)").body[0])[0])
    'lambda: [name]'
    """
    refuses = next(
        (of for of, branch in ((True, node.body), (False, node.orelse)) if branch and _ends(branch[-1])), None
    )
    name, told = hook(node.test) if refuses is not None else ("", [])
    return [*told, ast.Constant(refuses)] if name == "expected" else []


def _ends(last: ast.stmt) -> bool:
    call = last.value if isinstance(last, ast.Expr) else None
    called = call.func if isinstance(call, ast.Call) else None
    return isinstance(last, ast.Raise) or getattr(called, "attr", getattr(called, "id", "")) in ENDING


def _listed(test: ast.Compare) -> ast.expr | None:
    """The file whose name is looked for in a listing of its folder, `None` where none is."""
    call = test.comparators[0]
    if not (isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "listdir" and len(call.args) == 1):
        return None
    folder, name = (ast.FormattedValue(copy.deepcopy(part), -1, None) for part in (call.args[0], test.left))
    return ast.JoinedStr([folder, ast.Constant("/"), name])
