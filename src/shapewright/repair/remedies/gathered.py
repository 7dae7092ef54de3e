"""One entry of each row picked by its index: the index as a column, and the column that is picked as one axis less."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..operands import written

ANSWERS = (Misfit,)
TITLES = {
    "gathered": {
        "en": "pick one entry of each row: {code}",
        "es": "elegir un elemento de cada fila: {code}",
        "ja": "各行から要素を 1 つ選ぶ: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where an index has one axis less than what it picks from, all others alike."""
    event, found = case.event, written(case)[:2]
    dim = ops.bound(event).get("dim") if event is not None and event.op == "gather" and len(found) == 2 else None
    for source, call in case.found(case.site if isinstance(dim, int) else None, cst.Call):
        table, index = found
        left = tuple(size for at, size in enumerate(table.fact.sizes) if at != dim % table.fact.rank)
        if -table.fact.rank <= dim < table.fact.rank and index.fact.sizes == left:
            head, _, tail = source.text_of(call).rpartition(index.text)
            code = f"{head}{source.atom(index.place)}.unsqueeze({dim}){tail}.squeeze({dim})"
            yield Candidate("gathered", (source.replace(call, code),), 2, {"code": code})
