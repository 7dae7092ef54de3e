"""Scores scaled by the root of the size that their product sums over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import ScaleByRoot
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (ScaleByRoot,)
TITLES = {
    "scaled": {
        "en": "scale by the square root of the size of the summed axis: {code}",
        "es": "escalar con la raíz cuadrada del tamaño del eje que se suma: {code}",
        "ja": "和を取る軸のサイズの平方根でスケーリングする: {code}",
    },
}


@at(cst.BinaryOperation)
def propose(case: Case, source: Source, scale: Place) -> Iterator[Candidate]:
    """The number on the other side of the division or product, written by the operand that is summed over."""
    operand, node = _operand(source, source.at(case.remedy.product)), scale.node
    sides = {cst.Divide: [node.right], cst.Multiply: [node.right, node.left]}.get(type(node.operator), [])
    code = f"{operand}.size(-1) ** {'0.5' if len(sides) == 1 else '-0.5'}"
    for rank, side in enumerate(map(source.place, sides if operand else ())):
        yield Candidate("scaled", (source.replace(side, code),), 3 + rank, {"code": code})


def _operand(source: Source, product: Place | None) -> str:
    """The name of the first operand of a product."""
    node = product.node if product is not None else None
    if isinstance(node, cst.BinaryOperation):
        first = node.left
    elif isinstance(node, cst.Call) and node.args:
        plain = [argument.value for argument in node.args if not isinstance(argument.value, cst.SimpleString)]
        owner = node.func.value if isinstance(node.func, cst.Attribute) else None
        method = owner is not None and source.code(owner) not in ("torch", "F")
        first = owner if method and len(plain) == 1 else plain[0]
    else:
        return ""
    return source.text_of(source.place(first)) if isinstance(first, (cst.Name, cst.Attribute)) else ""
