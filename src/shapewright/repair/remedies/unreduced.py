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
        "es": "ponderar cada muestra antes de calcular la media: {code}",
        "ja": "平均の前に各サンプルへ重みを掛ける: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For what was averaged before it was weighted: `reduction="none"` in the loss, or the inner mean taken away."""
    event = case.trace.events[case.remedy.source]
    for source, place in case.found(event.site, cst.Call):
        if event.op in TARGET_LOSSES:
            made = case.module_call(event.modules[-1]) if event.modules else None
            home, call = made or (source, place)
            edit = home.argument(call, None, "reduction", '"none"')
            yield from offered("unreduced", edit, 5, {"code": 'reduction="none"'})
            continue
        func, inner = place.node.func, source.operand(place)
        if inner is not None and isinstance(func, cst.Attribute) and ops.is_a(func.attr.value, "totals"):
            text = source.atom(inner)
            yield Candidate("unreduced", (source.replace(place, text),), 4, {"code": text[:60]})
