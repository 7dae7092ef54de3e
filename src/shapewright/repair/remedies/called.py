"""A method that is handed over where what it gives is expected."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..declared import on_line
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "call": {
        "en": "call the method: {code}",
        "es": "llamar al método: {code}",
        "ja": "メソッドを呼び出す: {code}",
    },
}


@on_line
def propose(case: Case, source: Source, statement: Place) -> Iterator[Candidate]:
    """`Adam(net.parameters())` for `Adam(net.parameters)`, of a call that refused what it was given before it computed
    anything."""
    if case.event is not None or case.failure.kind != "TypeError":
        return
    for call in source.within(statement, cst.Call):
        for given in call.node.args:
            if isinstance(given.value, cst.Attribute):
                place = source.place(given.value)
                code = f"{source.text_of(place)}()"
                yield Candidate("call", (source.replace(place, code),), 6, {"code": code})
