"""Labels of a table of samples against samples: row i belongs to column i."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import NumberPairs
from ..candidate import Candidate, Case

ANSWERS = (NumberPairs,)


def propose(case: Case) -> Iterator[Candidate]:
    """For one label for all pairs: `zeros(n)` and its like become `arange(n)`."""
    for _, source, statement in case.simple(case.sites):
        for place in source.within(statement, cst.Call):
            func = place.node.func
            name = func.attr.value if isinstance(func, cst.Attribute) else ""
            if not ops.is_a(name, "fills_constant") or not place.node.args:
                continue
            first = place.node.args[0].value
            text = source.text_of(source.place(first))
            if ops.is_a(name, "makes_alike"):
                count, device = f"{text}.size(0)", f"{text}.device"
            else:
                if isinstance(first, (cst.Tuple, cst.List)):
                    if len(first.elements) != 1:
                        continue
                    text = source.text_of(source.place(first.elements[0].value))
                count = text
                device = next(
                    (
                        source.text_of(source.place(a.value))
                        for a in place.node.args
                        if a.keyword is not None and a.keyword.value == "device"
                    ),
                    "",
                )
                if name.startswith("new_"):
                    device = f"{source.text_of(source.place(func.value))}.device"
            code = f"torch.arange({count}, device={device})" if device else f"torch.arange({count})"
            yield Candidate("diagonal", (source.replace(place, code),), 5, {"code": code})
