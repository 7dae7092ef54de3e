"""Scores scaled by the root of the size that their product sums over."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import ScaleByRoot
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (ScaleByRoot,)
TITLES = {
    "scaled": {
        "en": "scale by the square root of the size that is summed over: {code}",
        "es": "escalar con la raíz cuadrada del tamaño del eje que se suma: {code}",
        "ja": "和を取る軸のサイズの平方根でスケーリングする: {code}",
    },
}
SCALES = (cst.Divide, cst.Multiply)


def propose(case: Case) -> Iterator[Candidate]:
    """The number on the other side of the division or product, written by the operand that is summed over."""
    source, scale = case.at(case.site, cst.BinaryOperation)
    operand = _operand(source, source.at(case.remedy.product)) if scale is not None else ""
    if not operand or not isinstance(scale.node.operator, SCALES):
        return
    power = " ** 0.5" if isinstance(scale.node.operator, cst.Divide) else " ** -0.5"
    code = f"{operand}.size(-1){power}"
    sides = (scale.node.right, *((scale.node.left,) if isinstance(scale.node.operator, cst.Multiply) else ()))
    for rank, side in enumerate(map(source.place, sides)):
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
