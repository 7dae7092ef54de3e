"""The other extreme picked of a table of which some places are filled so that they are never picked."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.loop_remedy import PickHardest
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (PickHardest,)
TITLES = {
    "hardest": {
        "en": "pick the other extreme: {code}",
        "es": "elegir el otro extremo: {code}",
        "ja": "反対側の極値を選ぶ: {code}",
    },
}
SIGNS = {cst.Add: "-", cst.Subtract: "+"}


@at(cst.Call)
def propose(case: Case, source: Source, call: Place) -> Iterator[Candidate]:
    """`.masked_fill(same, inf).min(1)` for `.masked_fill(same, 0).max(1)`."""
    remedy: PickHardest = case.remedy
    func = call.node.func
    name = source.place(func.attr if isinstance(func, cst.Attribute) else func)
    now = "max" if remedy.least else "min"
    new = "min" if remedy.least else "max"
    picked = source.text_of(name).replace(now, new)
    for home, fill in case.found(remedy.filled, (cst.Call, cst.BinaryOperation)):
        code = _filled(home, fill, 'float("inf")' if remedy.least else '-float("inf")')
        if not code or picked == source.text_of(name):
            continue
        whole, own, text = source.text_of(call), home.text_of(fill), source.text_of(name)
        renamed = whole.replace(f"{text}(", f"{picked}(", 1)
        within = home is source and fill.within(call) and fill != call
        edits = [source.replace(call, renamed.replace(own, code, 1) if within else renamed)]
        edits += [] if within else [home.replace(fill, code)]
        yield Candidate("hardest", tuple(edits), 4, {"code": picked})


def _filled(source: Source, fill: Place, number: str) -> str:
    """What fills the same places with another number."""
    node = fill.node
    if isinstance(node, cst.Call):
        last = source.place(node.args[-1].value) if ops.is_a(source.called(fill), "masks") else None
        text = source.text_of(fill)
        start = text.rindex(source.text_of(last)) if last is not None else 0
        return text[:start] + number + text[start + len(source.text_of(last)) :] if last is not None else ""
    left, right = source.place(node.left), source.place(node.right)
    if isinstance(node.operator, cst.Multiply):
        return f"{source.atom(left)}.masked_fill({source.atom(right)} == 0, {number})"
    sign = SIGNS.get(type(node.operator))
    return f"{source.text_of(left)} {sign} {source.text_of(right)}" if sign is not None else ""
