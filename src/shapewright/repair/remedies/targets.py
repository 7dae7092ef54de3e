"""Targets made in the shape of what they are compared with."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import AlignAxes, Misfit
from ..candidate import Candidate, Case
from ..operands import written

ANSWERS = (AlignAxes, Misfit)
TITLES = {
    "like": {
        "en": "create the target with the shape of the scores: {code}",
        "es": "crear el objetivo con la forma de las puntuaciones: {code}",
        "ja": "ターゲットをスコアと同じ形状で作る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """`torch.ones(n)` or `torch.Tensor([1])` as the target of a loss becomes `torch.ones_like(scores)`."""
    held = case.event is not None and ops.is_a(case.event.op, "signed_targets", "binary", "regresses")
    found = written(case) if held else []
    if len(found) < 2 or not all(isinstance(operand.place.node, cst.Name) for operand in (found[0], found[-1])):
        return
    scores, target = found[0], found[-1]
    place = target.source.binding(target.place.node.value, target.place.line)
    made = place is not None and isinstance(place.node, cst.Call)
    for call in target.source.methods(place, "ones", "zeros") if made else ():
        code = f"torch.{call.node.func.attr.value}_like({scores.text})"
        yield Candidate("like", (target.source.replace(call, code),), 17, {"code": code})
