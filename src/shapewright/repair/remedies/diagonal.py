"""Labels of a table of samples against samples: row i belongs to column i."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import NumberPairs
from ...trace import Site
from ..candidate import Candidate, Case
from ..declared import within
from ..source import Place, Source

ANSWERS = (NumberPairs,)


@within(cst.Call)
def propose(case: Case, source: Source, place: Place, site: Site) -> Iterator[Candidate]:
    """For one label for all pairs: `zeros(n)` and its like become `arange(n)`."""
    func, given = place.node.func, place.node.args
    name = func.attr.value if isinstance(func, cst.Attribute) else ""
    if not ops.is_a(name, "fills_constant") or not given:
        return
    first = given[0].value
    several = isinstance(first, (cst.Tuple, cst.List)) and not ops.is_a(name, "makes_alike")
    if several and len(first.elements) != 1:
        return
    text = source.text_of(source.place(first.elements[0].value if several else first))
    named = source.given(place, None, "device")
    owner = text if ops.is_a(name, "makes_alike") else source.code(func.value) if name.startswith("new_") else ""
    device = f"{owner}.device" if owner else source.code(named).strip() if named is not None else ""
    count = f"{text}.size(0)" if ops.is_a(name, "makes_alike") else text
    code = f"torch.arange({count}, device={device})" if device else f"torch.arange({count})"
    yield Candidate("diagonal", (source.replace(place, code),), 5, {"code": code})
