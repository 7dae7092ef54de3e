"""Targets made in the shape of what they are compared with."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import AlignAxes, Misfit
from ..candidate import Candidate, Case
from ..operands import written

MAKERS = {
    "ones": "ones_like",
    "zeros": "zeros_like",
    "full": "full_like",
    "Tensor": "",
    "tensor": "",
    "FloatTensor": "",
}


ANSWERS = (AlignAxes, Misfit)
TITLES = {
    "like": {
        "en": "create the target in the shape of the scores: {code}",
        "es": "crear el objetivo con la forma de las puntuaciones: {code}",
        "ja": "ターゲットをスコアと同じ形で作る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """`torch.ones(n)` or `torch.Tensor([1])` as the target of a loss becomes `torch.ones_like(scores)`."""
    event = case.event
    if event is None or not ops.is_a(event.op, "signed_targets", "binary", "regresses"):
        return
    found = written(case)
    if len(found) < 2:
        return
    scores, target = found[0], found[-1]
    if not isinstance(target.place.node, cst.Name) or not isinstance(scores.place.node, cst.Name):
        return
    place = target.source.binding(target.place.node.value, target.place.line)
    if place is None or not isinstance(place.node, cst.Call):
        return
    for call in target.source.within(place, cst.Call):
        func = call.node.func
        name = func.attr.value if isinstance(func, cst.Attribute) else ""
        if name in MAKERS:
            yield Candidate(
                "like",
                (target.source.replace(call, f"torch.{MAKERS[name]}({scores.text})"),),
                17,
                {"code": f"torch.{MAKERS[name]}({scores.text})"},
            )
        elif name in ("Tensor", "tensor", "FloatTensor") and call.node.args:
            number = _single(call.node.args[0].value)
            if number in ("1", "1.0"):
                yield Candidate(
                    "like",
                    (target.source.replace(call, f"torch.ones_like({scores.text})"),),
                    14,
                    {"code": f"torch.ones_like({scores.text})"},
                )
            elif number is not None:
                yield Candidate(
                    "like",
                    (target.source.replace(call, f"torch.full_like({scores.text}, {number})"),),
                    14,
                    {"code": f"torch.full_like({scores.text}, {number})"},
                )


def _single(node: cst.BaseExpression) -> str | None:
    if isinstance(node, (cst.List, cst.Tuple)) and len(node.elements) == 1:
        node = node.elements[0].value
    if isinstance(node, (cst.Integer, cst.Float)):
        return node.value
    if (
        isinstance(node, cst.UnaryOperation)
        and isinstance(node.operator, cst.Minus)
        and isinstance(node.expression, (cst.Integer, cst.Float))
    ):
        return f"-{node.expression.value}"
    return None
