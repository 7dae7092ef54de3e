"""A tensor brought to the device of the one that it meets."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Recast
from ..candidate import Candidate, Case, offered
from ..operands import written

ANSWERS = (Recast,)
TITLES = {
    "to-device": {
        "en": "use the device of the other tensor: {code}",
        "es": "usar el dispositivo del otro tensor: {code}",
        "ja": "もう一方のテンソルのデバイスを使う: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where the operands of a call the user wrote are on several devices: the factory's `device=`, else `.to(x.device)`
    at the operand."""
    if case.remedy.wanted_dtype:
        return
    found = written(case)
    for operand in found:
        other = next((o for o in found if o.fact.device != operand.fact.device), None)
        if other is None or not isinstance(other.place.node, (cst.Name, cst.Attribute)):
            continue
        here = operand.fact.device.startswith("cpu")
        bound = (
            operand.source.binding(operand.place.node.value, operand.place.line)
            if isinstance(operand.place.node, cst.Name)
            else None
        )
        if (
            here
            and bound is not None
            and isinstance(bound.node, cst.Call)
            and operand.source.text_of(bound).startswith("torch.")
        ):
            yield from offered(
                "to-device",
                operand.source.argument(bound, None, "device", f"{other.text}.device"),
                6,
                {"code": f"device={other.text}.device"},
            )
        yield Candidate(
            "to-device",
            (operand.source.suffix(operand.place, f".to({other.text}.device)"),),
            8 if here else 12,
            {"code": f".to({other.text}.device)"},
        )
