"""Parentheses where operators bind otherwise than they are read: `&`, `|` and `^` more tightly than a comparison, less
tightly than a sum; a product more tightly than a comparison, a method more tightly than all of them."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import Misfit, Recast
from ..candidate import Candidate, Case
from ..declared import at, on_line
from ..source import Place, Source

ANSWERS = (Misfit, Recast)
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
    if case.event is not None:
        yield from _bitwise(case) if ops.is_a(case.event.op.rstrip("_"), "logical") else _rebound(case)


@at(cst.BinaryOperation)
def _bitwise(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """The comparison that an operator of bits took a side of, or the sum that took one of its own."""
    node = place.node
    if not isinstance(node.operator, BITWISE):
        return
    for outer in source.of_kind(cst.Comparison):
        sides = [outer.node.left, *(target.comparator for target in outer.node.comparisons)]
        if any(side is node for side in sides) and not node.lpar:
            yield _written(source, outer, _compared(source, outer.node), 3)
    texts = [source.code(part).strip() for part in (node.left, node.operator, node.right)]
    for inner, first in ((node.right, False), (node.left, True)):
        if isinstance(inner, cst.BinaryOperation) and not inner.lpar:
            one, sign, other = (source.code(part).strip() for part in (inner.left, inner.operator, inner.right))
            left, own, right = texts
            code = f"{one} {sign} ({other} {own} {right})" if first else f"({left} {own} {one}) {sign} {other}"
            yield _written(source, place, code, 4)


def _written(source: Source, place: Place, code: str, rank: int) -> Candidate:
    return Candidate("grouped", (source.replace(place, code),), rank, {"code": code})


@on_line
def _rebound(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`(a @ b).mean()` for `a @ b.mean()`, and `a * (b > c)` for `a * b > c`, around what was refused or within it."""
    refused = source.at(case.site)
    if refused is None or isinstance(statement.node, cst.BaseCompoundStatement):
        return
    for place in source.within(statement, (cst.BinaryOperation, cst.Comparison)):
        if not (place.within(refused) or refused.within(place)):
            continue
        node = place.node
        compares = isinstance(node, cst.Comparison)
        second = node.comparisons[0] if compares else node
        inner, called = second.comparator if compares else node.right, ""
        left, sign = source.code(node.left).strip(), source.code(second.operator).strip()
        while isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute) and not inner.lpar:
            call, inner = inner, inner.func.value
            if library(source.text, source.code(call.func)) or not ops.is_a(call.func.attr.value, *FOLLOWS, READ):
                break
            averaged = compares and ops.is_a(call.func.attr.value, "averages") and "float" not in called
            called, text = (".float()" if averaged else "") + source.method(call) + called, source.code(inner).strip()
            own = getattr(getattr(node.left, "func", None), "attr", None)
            alike = own is not None and own.value == call.func.attr.value  # `a.mean() + b.mean()`: each has its own
            if not alike and not ops.is_a(call.func.attr.value, READ):
                yield _written(source, place, f"({left} {sign} {text}){called}", 9)
        if compares and isinstance(node.left, cst.BinaryOperation) and not node.left.lpar:
            near = source.place(node.left.right)
            whole = Place(node, near.line, near.column, place.end_line, place.end_column)
            yield _written(source, whole, f"({source.text_of(whole)})", 9)


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
