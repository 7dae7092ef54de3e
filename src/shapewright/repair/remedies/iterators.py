"""An iterator over the data that every step makes anew, made once above the loop."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import KeepIterator
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (KeepIterator,)
TITLES = {
    "iterator": {
        "en": "create the iterator once, before the loop: {code}",
        "es": "crear el iterador una sola vez, antes del bucle: {code}",
        "ja": "イテレータをループの前で一度だけ作る: {code}",
    },
}
NAMES = ("batches", "data_batches", "remaining_batches")


@at(cst.Call, site=lambda case: case.remedy.made)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """With `iter` where the loop makes as many steps as there are batches, else with `itertools.cycle`: a loader that
    does not shuffle gives the same batches in every round."""
    data = case.remedy.data
    name = next((name for name in NAMES if not re.search(rf"\b{name}\b", source.text)), None)
    for loop in source.enclosing(case.remedy.loop.line, (cst.For, cst.While))[: name is not None]:
        head = source.code(loop.node.iter).strip() if isinstance(loop.node, cst.For) else ""
        once = head == f"range(len({data}))"
        code = f"{name} = iter({data})" if once else f"{name} = itertools.cycle({data})"
        edits = (source.replace(call, name), source.line_before(loop.line, code))
        yield Candidate("iterator", edits if once else (*edits, *source.imported("itertools")), 4, {"code": code})
