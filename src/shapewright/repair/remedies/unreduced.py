"""A loss or a log-probability left unreduced, so that every sample meets its own weight before the mean."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import TARGET_LOSSES
from ...rules.remedy import Unreduce
from ..candidate import Candidate, Case, offered

ANSWERS = (Unreduce,)
TITLES = {
    "unreduced": {
        "en": "weight each sample before the mean: {code}",
        "es": "ponderar cada muestra antes de la media: {code}",
        "ja": "平均の前に各サンプルへ重みを掛ける: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For what was averaged before it was weighted: `reduction="none"` in the loss, or the inner mean taken away."""
    event = case.trace.events[case.remedy.source]
    source, place = case.at(event.site, cst.Call)
    if place is None:
        return
    if event.op not in TARGET_LOSSES:
        func = place.node.func
        if isinstance(func, cst.Attribute) and ops.is_a(func.attr.value, "totals"):
            library = isinstance(func.value, cst.Name) and func.value.value == "torch" and place.node.args
            inner = place.node.args[0].value if library else func.value
            text = source.atom(source.place(inner))
            yield Candidate("unreduced", (source.replace(place, text),), 4, {"code": text[:60]})
        return
    made = case.module_call(event.modules[-1]) if event.modules else None
    for home, call in ((source, place),) if made is None else (made,):
        yield from offered(
            "unreduced", home.argument(call, None, "reduction", '"none"'), 5, {"code": 'reduction="none"'}
        )
