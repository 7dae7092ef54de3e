"""The mask that a pooled product keeps its steps with, where it keeps the padding: inverted where it is read."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import HidePadding
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (HidePadding,)
FAR = 3  # names from the product to the mask


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """For `(states * keep).sum(dim=1)`: `is_pad` of `keep = is_pad.unsqueeze(-1).float()` becomes `~is_pad` there."""
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
