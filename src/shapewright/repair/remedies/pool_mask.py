"""The mask that a pooled product keeps its steps with: inverted where it keeps the padding, counted where the sum is
divided by the padded length."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands
from ...graph.imports import library
from ...rules.remedy import HidePadding
from ...trace import Event
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (HidePadding,)
FAR = 3  # names from the product to the mask


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """For `(states * keep).sum(dim=1)`: `is_pad` of `keep = is_pad.unsqueeze(-1).float()` becomes `~is_pad` there."""
    if case.remedy.read == "divided":
        yield from _by_real(case, source, statement)
    if case.remedy.read != "pooled":
        return
    for total in source.methods(statement, "totals"):
        inner = source.operand(total)
        node = inner.node if inner is not None else None
        for side in (node.left, node.right) if _is_product(node) else ():
            mask = _mask(case, source, source.place(side), FAR)
            if mask is not None:
                turned = source.inverted(mask.node)
                edit = source.replace(mask, turned if _stands_alone(source, mask) else f"({turned})")
                yield Candidate("turn-mask", (edit,), 3, {"code": turned})


def _by_real(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`(states * keep).sum(dim=1) / states.size(1)` divided by `keep.sum(dim=1)`, the steps that were added up."""
    for ratio in source.within(statement, cst.BinaryOperation):
        total = _total(source, ratio) if isinstance(ratio.node.operator, cst.Divide) else None
        inner = source.operand(total) if total is not None else None
        if inner is None or not _is_product(inner.node):
            continue
        sides = [source.place(side) for side in (inner.node.left, inner.node.right)]
        product = next((e for e in case.trace.events if _at(e, inner) and ops.is_a(e.op, "multiplies")), None)
        facts = operands(product) if product is not None else []
        marks = [side for side, fact in zip(sides, facts) if not fact.requires_grad]
        if len(facts) == 2 and len(marks) == 1:
            code = f"{source.atom(marks[0])}{source.method(total.node)}"
            edit = source.replace(source.place(ratio.node.right), code)
            yield Candidate("mean-real", (edit,), 3, {"code": code})


def _total(source: Source, ratio: Place) -> Place | None:
    """The sum that is divided, where it is a method's, or what the name that is divided was bound to."""
    node = ratio.node.left
    place = source.binding(node.value, ratio.line) if isinstance(node, cst.Name) else source.place(node)
    func = place.node.func if place is not None and isinstance(place.node, cst.Call) else None
    bare = isinstance(func, cst.Attribute) and not library(source.text, source.code(func))
    return place if bare and ops.is_a(func.attr.value, "totals") else None


def _at(event: Event, place: Place) -> bool:
    """Whether an event is the call that stands in a place."""
    return event.site is not None and (event.site.line, event.site.column) == (place.line, place.column)


def _is_product(node: cst.CSTNode | None) -> bool:
    return isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply)


def _mask(case: Case, source: Source, place: Place, far: int) -> Place | None:
    """The boolean that a factor is made of, by methods and names that hold it in turn."""
    node = place.node
    while isinstance(node, (cst.Call, cst.Subscript)):
        func = node.func if isinstance(node, cst.Call) else None
        if func is not None and not isinstance(func, cst.Attribute):
            return None
        node = node.value if isinstance(node, cst.Subscript) else func.value
    if isinstance(node, (cst.Comparison, cst.UnaryOperation)):
        return source.place(node)
    if not isinstance(node, cst.Name) or not far:
        return None
    here = source.place(node)
    held = {one.fact.dtype for one in case.trace.bound if (one.name, one.site.file) == (node.value, source.file)}
    bound = source.binding(node.value, here.line)
    if held and all(dtype.endswith("bool") for dtype in held):
        return here
    return _mask(case, source, bound, far - 1) if bound is not None else None


def _stands_alone(source: Source, place: Place) -> bool:
    """Whether an expression is within parentheses already, or is all that is bound."""
    before, after = source.lines[place.line - 1][: place.column - 1], source.lines[place.end_line - 1]
    return before.rstrip().endswith(("(", "=")) and after[place.end_column - 1 :].lstrip()[:1] in ("", ")")
