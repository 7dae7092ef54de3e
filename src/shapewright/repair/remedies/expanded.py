"""One row for all samples, such as a learned token, that is joined with rows of each sample: repeated for every one."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import written

ANSWERS = (Misfit,)
TITLES = {
    "expand": {
        "en": "expand {name} along its axis of size 1: {code}",
        "es": "expandir {name} a lo largo de su eje de tamaño 1: {code}",
        "ja": "{name} をサイズ 1 の軸に沿って拡張する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Along the one axis, other than the joined one, on which an operand has the size one and its neighbor more."""
    dim = case.misfit.dim
    found = written(case) if case.event is not None and ops.is_a(case.event.op, "concatenates") else []
    for operand in found if isinstance(dim, int) else ():
        shape = operand.fact.sizes
        for other in found:
            wanted = other.fact.sizes
            if other is operand or len(wanted) != len(shape) or not other.text.replace(".", "").isidentifier():
                continue
            at = [axis for axis in range(len(shape)) if axis != dim % len(shape) and shape[axis] != wanted[axis]]
            if len(at) != 1 or shape[at[0]] != 1:
                continue
            sizes = ", ".join(f"{other.text}.size({axis})" if axis in at else "-1" for axis in range(len(shape)))
            code = f".expand({sizes})"
            edit = operand.source.suffix(operand.place, code)
            yield Candidate("expand", (edit,), 7, {"name": operand.text, "code": code})
