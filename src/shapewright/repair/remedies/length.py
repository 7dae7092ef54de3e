"""How many samples a data set says that it has: as many as there are in what it reads them from."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "length": {
        "en": "let __len__ return the number of samples: {code}",
        "es": "hacer que __len__ devuelva el número de muestras: {code}",
        "ja": "__len__ がサンプル数を返すようにする: {code}",
    },
}


@at(cst.Subscript)
def propose(case: Case, source: Source, read: Place) -> Iterator[Candidate]:
    """For an entry that `__getitem__` asks for behind the last one; what `__len__` counts already comes first."""
    beyond = case.event is not None and ops.is_a(case.event.op, "brackets", "slots") and case.misfit.axis == 0
    if not beyond or case.site.function != "__getitem__":
        return
    methods = [
        p for owner in source.enclosing(read.line, cst.ClassDef)[:1] for p in source.within(owner, cst.FunctionDef)
    ]
    for counts in (place for place in methods if place.node.name.value == "__len__"):
        for value in (place.node.value for place in source.within(counts, cst.Return) if place.node.value is not None):
            whole, base = source.place(value), f"len({source.text_of(source.place(read.node.value))})"
            counted = [source.text_of(call) for call in source.within(whole, cst.Call) if source.called(call) == "len"]
            for rank, code in enumerate(dict.fromkeys((*counted, base))):
                sums = isinstance(getattr(value, "operator", None), (cst.Add, cst.Subtract)) and code in counted
                doubt = "" if sums else "guessed"  # of a product each sample may be meant to come several times
                if code != source.text_of(whole):
                    yield Candidate("length", (source.replace(whole, code),), 4 + rank, {"code": code}, doubt=doubt)
