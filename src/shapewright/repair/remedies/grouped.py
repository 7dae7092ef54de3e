"""Parentheses where operators bind otherwise than they are read: `&`, `|` and `^` more tightly than a comparison, less
tightly than a sum; a product more tightly than a comparison, a method more tightly than all of them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "grouped": {
        "en": "add parentheses: {code}",
        "es": "añadir paréntesis: {code}",
        "ja": "括弧を加える: {code}",
    },
}
FOLLOWS = ("views", "flattens", "turns", "totals")  # methods that a result is given rather than its second operand
READ = "reads_value"  # what may come after them
BITWISE = (cst.BitAnd, cst.BitOr, cst.BitXor)


def propose(case: Case) -> Iterator[Candidate]:
    """For a bitwise operator that refused a side, as the sides stand in a comparison around it or a sum within it; for
    what else was refused, by the operators beside it."""
    event, source = case.event, case.source(case.site.file)
    if event is None or source is None:
        return
    if not ops.is_a(event.op.rstrip("_"), "logical"):
        yield from _rebound(case, source)
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


def _rebound(case: Case, source: Source) -> Iterator[Candidate]:
    """`(a @ b).mean()` for `a @ b.mean()`, and `a * (b > c)` for `a * b > c`, around what was refused or within it."""
    statement, refused = source.statement(case.site.line), source.at(case.site)
    if statement is None or refused is None or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    for place in source.within(statement, (cst.BinaryOperation, cst.Comparison)):
        if not (place.within(refused) or refused.within(place)):
            continue
        node = place.node
        compares = isinstance(node, cst.Comparison)
        operator, right = (
            (node.comparisons[0].operator, node.comparisons[0].comparator) if compares else (node.operator, node.right)
        )
        left, sign = source.code(node.left).strip(), source.code(operator).strip()
        inner, called = right, ""
        while isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute) and not inner.lpar:
            call, inner = inner, inner.func.value
            if library(source.text, source.code(call.func)) or not ops.is_a(call.func.attr.value, *FOLLOWS, READ):
                break
            averaged = compares and ops.is_a(call.func.attr.value, "averages") and "float" not in called
            written = source.text_of(source.place(call))[len(source.text_of(source.place(inner))) :]
            called = (".float()" if averaged else "") + written + called
            code = f"({left} {sign} {source.text_of(source.place(inner))}){called}"
            if not ops.is_a(call.func.attr.value, READ):
                yield Candidate("grouped", (source.replace(place, code),), 9, {"code": code})
        if compares and isinstance(node.left, cst.BinaryOperation) and not node.left.lpar:
            near = source.place(node.left.right)
            whole = Place(node, near.line, near.column, place.end_line, place.end_column)
            code = f"({source.text_of(whole)})"
            yield Candidate("grouped", (source.replace(whole, code),), 9, {"code": code})


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
