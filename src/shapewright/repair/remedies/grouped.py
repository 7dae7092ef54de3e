"""Parentheses where `&`, `|` and `^` bind otherwise than they are read: more tightly than a comparison, less tightly
than a sum."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Source

ANSWERS = (Misfit,)
TITLES = {
    "grouped": {
        "en": "add parentheses: {code}",
        "es": "añadir paréntesis: {code}",
        "ja": "括弧を加える: {code}",
    },
}
BITWISE = (cst.BitAnd, cst.BitOr, cst.BitXor)


def propose(case: Case) -> Iterator[Candidate]:
    """For a bitwise operator that refused a side, as the sides stand in a comparison around it or a sum within it."""
    event, source = case.event, case.source(case.site.file)
    if event is None or source is None or not ops.is_a(event.op.rstrip("_"), "logical"):
        return
    place = source.at(case.site, cst.BinaryOperation)
    node = place.node if place is not None else None
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, BITWISE):
        return
    for outer in source.of_kind(cst.Comparison):
        sides = [outer.node.left, *(target.comparator for target in outer.node.comparisons)]
        if any(side is node for side in sides) and not node.lpar:
            code = _compared(source, outer.node)
            yield Candidate("grouped", (source.replace(outer, code),), 3, {"code": code})
    sign = source.code(node.operator).strip()
    left, right = (source.code(side).strip() for side in (node.left, node.right))
    if isinstance(node.right, cst.BinaryOperation) and not node.right.lpar:
        inner = node.right
        near, far = (source.code(side).strip() for side in (inner.left, inner.right))
        code = f"({left} {sign} {near}) {source.code(inner.operator).strip()} {far}"
        yield Candidate("grouped", (source.replace(place, code),), 4, {"code": code})
    if isinstance(node.left, cst.BinaryOperation) and not node.left.lpar:
        inner = node.left
        far, near = (source.code(side).strip() for side in (inner.left, inner.right))
        code = f"{far} {source.code(inner.operator).strip()} ({near} {sign} {right})"
        yield Candidate("grouped", (source.replace(place, code),), 4, {"code": code})


def _compared(source: Source, node: cst.Comparison) -> str:
    """`a > 0 & b < 1` as `(a > 0) & (b < 1)`."""
    parts: list[str] = []
    sides: list[tuple[str, cst.BaseExpression]] = [("", node.left)]
    sides += [(source.code(target.operator).strip(), target.comparator) for target in node.comparisons]
    current = ""
    for sign, side in sides:
        lead = f"{current} {sign} " if current else ""
        if _open(side):
            first, second = (source.code(half).strip() for half in (side.left, side.right))
            done = f"{lead}{first}"
            parts += [f"({done})" if lead else done, source.code(side.operator).strip()]
            current = second
        else:
            current = f"{lead}{source.code(side).strip()}"
    compared = any(f" {sign} " in current for sign, _ in sides[1:])
    return " ".join([*parts, f"({current})" if compared else current])


def _open(node: cst.BaseExpression) -> bool:
    """Whether a side is a bitwise operation without parentheses of its own."""
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, BITWISE) and not node.lpar
