"""What the text calls a number: the variable, the key, the label or the function that it goes to.

Pure: it reads a `Trace`. It judges nothing: whether such a name says anything is the lexicon's business.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..trace import HostFact, Site, Trace
from .calls import dotted
from .source import Function, Source

APART = re.compile(r"[,;|\n\t]")


def captions(trace: Trace, fact: HostFact) -> list[str]:
    """What a number is called where it was made, and, where a function gives it back, where that was called."""
    source = Source(trace)
    found = list(_of(source, fact.site))
    returned = fact.site is not None and isinstance(source.statement_at(fact.site), ast.Return)
    return found + (list(_of(source, fact.caller)) if returned else [])


def _of(source: Source, site: Site | None) -> Iterator[str]:
    node: ast.AST | None = source.node_at(site, (ast.BinOp, ast.Call))
    while node is not None and (outer := getattr(node, "parent", None)) is not None:
        if isinstance(outer, ast.Assign):
            yield from (_target(target) for target in outer.targets)
        elif isinstance(outer, (ast.AnnAssign, ast.NamedExpr)):
            yield dotted(outer.target)
        elif isinstance(outer, ast.keyword):
            yield outer.arg or ""
        elif isinstance(outer, ast.Dict):
            yield from (_text(key) for key, value in zip(outer.keys, outer.values) if value is node)
        elif isinstance(outer, (ast.DictComp, ast.ListComp)):
            node = outer
            continue
        elif isinstance(outer, ast.JoinedStr):
            yield _label(outer.values, node)
        elif isinstance(outer, ast.Return):
            function = next(_functions(outer), None)
            yield function.name if function is not None else ""
        elif isinstance(outer, ast.Tuple) and isinstance(getattr(outer, "parent", None), ast.Assign):
            yield from _unpacked(outer, node)
        elif isinstance(outer, ast.Call) and node in outer.args:
            if isinstance(outer.func, ast.Attribute) and outer.func.attr == "append":
                yield dotted(outer.func.value)
            elif len(outer.args) > 2 or isinstance(getattr(outer, "parent", None), ast.Expr):
                yield _label(outer.args, node)
            else:
                node = outer  # `round(x, 4)`
                continue
        elif _passes(outer):
            node = outer
            continue
        return


def _passes(outer: ast.AST) -> bool:
    """Whether an expression only reads a method, formats, or multiplies with a plain number."""
    if isinstance(outer, ast.BinOp):
        plain = any(isinstance(side, ast.Constant) for side in (outer.left, outer.right))
        return isinstance(outer.op, ast.Mult) and plain
    read = isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute)
    return read or isinstance(outer, (ast.Attribute, ast.FormattedValue))


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    while (outer := getattr(node, "parent", None)) is not None:
        if isinstance(outer, Function):
            yield outer
        node = outer


def _target(target: ast.expr) -> str:
    return _text(target.slice) if isinstance(target, ast.Subscript) else dotted(target)


def _unpacked(values: ast.Tuple, node: ast.AST) -> Iterator[str]:
    for target in values.parent.targets:  # type: ignore[attr-defined]
        if isinstance(target, ast.Tuple) and len(target.elts) == len(values.elts):
            yield _target(target.elts[values.elts.index(node)])  # type: ignore[arg-type]


def _label(parts: list[ast.expr], node: ast.AST) -> str:
    """The text before a part, back to what separates it from another label."""
    at = parts.index(node)  # type: ignore[arg-type]
    return APART.split(_text(parts[at - 1]).rstrip(" ,;|"))[-1] if at else ""


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
