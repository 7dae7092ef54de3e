"""`repeat` for `repeat_interleave` and back."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import AlignOrder
from ..candidate import Candidate, Case

ANSWERS = (AlignOrder,)
TITLES = {
    "interleave": {
        "en": "keep the copies of a sample next to each other: {code}",
        "es": "poner juntas las copias de cada muestra: {code}",
        "ja": "同じサンプルの複製を隣り合わせに並べる: {code}",
    },
    "repeat": {
        "en": "repeat whole batches, as the other operand does: {code}",
        "es": "repetir lotes enteros, como el otro operando: {code}",
        "ja": "もう一方と同じくバッチごと繰り返す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the lines that made the copies."""
    if case.remedy.kind != "repeat":
        return
    for site in (case.site, *(origin.site for origin in case.facts.origins if origin.site)):
        source = case.source(site.file)
        statement = source.statement(site.line) if source else None
        if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
            continue
        for place in source.within(statement, cst.Call):
            if not isinstance(place.node.func, cst.Attribute):
                continue
            name = place.node.func.attr.value
            plain = [source.text_of(source.place(a.value)) for a in place.node.args]
            receiver = source.atom(source.place(place.node.func.value))
            if name == "repeat" and plain and all(text == "1" for text in plain[1:]):
                yield Candidate(
                    "interleave",
                    (source.replace(place, f"{receiver}.repeat_interleave({plain[0]}, dim=0)"),),
                    8,
                    {"code": "repeat_interleave"},
                )
            elif name == "repeat_interleave" and plain:
                rank = max((fact.rank for fact in _shapes(case, site)), default=1)
                ones = ", 1" * (rank - 1)
                yield Candidate(
                    "repeat", (source.replace(place, f"{receiver}.repeat({plain[0]}{ones})"),), 10, {"code": "repeat"}
                )


def _shapes(case: Case, site):
    for event in case.trace.events:
        if event.site is not None and event.site.line == site.line and event.op == "repeat_interleave" and event.args:
            yield event.args[0]
