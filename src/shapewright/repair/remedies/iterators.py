"""An iterator over the data that every step makes anew, made once above the loop."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.loop_remedy import KeepIterator
from ..candidate import Candidate, Case

ANSWERS = (KeepIterator,)
TITLES = {
    "iterator": {
        "en": "create the iterator once, before the loop: {code}",
        "es": "crear el iterador una sola vez, antes del bucle: {code}",
        "ja": "イテレータをループの前で一度だけ作る: {code}",
    },
}
NAMES = ("batches", "data_batches", "remaining_batches")


def propose(case: Case) -> Iterator[Candidate]:
    """With `iter` where the loop makes as many steps as there are batches, else with `itertools.cycle`: a loader that
    does not shuffle gives the same batches in every round."""
    remedy = case.remedy
    source, call = case.at(remedy.made, cst.Call)
    loop = source.enclosing(remedy.loop.line, (cst.For, cst.While)) if source is not None else []
    name = next((name for name in NAMES if source and not re.search(rf"\b{name}\b", source.text)), None)
    if call is None or not loop or name is None:
        return
    head = source.code(loop[0].node.iter).strip() if isinstance(loop[0].node, cst.For) else ""
    once = head == f"range(len({remedy.data}))"
    code = f"{name} = iter({remedy.data})" if once else f"{name} = itertools.cycle({remedy.data})"
    edits = (source.replace(call, name), source.line_before(loop[0].line, code))
    yield Candidate("iterator", edits if once else (*edits, *source.imported("itertools")), 4, {"code": code})
