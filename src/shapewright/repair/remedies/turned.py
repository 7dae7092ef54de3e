"""Axes turned before a convolution, or before and after a layer that reads the first axis as time."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import BatchFirst, TurnAxes
from ..candidate import Candidate, Case, offered
from ..declared import at
from ..source import Place, Source

LAYERS = ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer", "MultiheadAttention")


ANSWERS = (BatchFirst, TurnAxes)
TITLES = {
    "conv-turned": {
        "en": "apply the convolution along the time axis: {code}",
        "es": "aplicar la convolución a lo largo del eje de tiempo: {code}",
        "ja": "時間の軸に沿って畳み込む: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a Conv1d over features, and for attention among samples."""
    if isinstance(case.remedy, BatchFirst):
        yield from _flags(case)
    elif case.remedy.to == "channels":
        yield from _convolution(case)


@at(cst.Call, arguments=1)
def _convolution(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """`conv(x)` becomes `conv(x.transpose(1, 2))` and `in_channels` the number of features."""
    given = case.event.args[0] if case.event is not None and case.event.args else None
    module = case.trace.modules.get(case.remedy.module)
    if getattr(given, "rank", 0) != 3:
        return
    found = case.module_call(module.uid) if module is not None and given.shape[1] != given.shape[2] else None
    size = found[0].argument(found[1], 0, "in_channels", str(given.shape[2])) if found is not None else None
    sized, code = (size,) if size is not None else (), ".transpose(1, 2)"
    turned = source.suffix(source.place(place.node.args[0].value), code)
    yield Candidate("conv-turned", (turned, *sized), 5, {"code": code})
    back = source.replace(place, f"{source.text_of(source.place(place.node.func))}({turned.replacement}){code}")
    yield Candidate("conv-turned", (back, *sized), 7, {"code": code})


def _flags(case: Case) -> Iterator[Candidate]:
    """`batch_first=True` for every attention layer that a user file constructs without it. Read from the text: a
    TransformerEncoder runs copies."""
    for source, place in case.calls():
        kind, told = source.called(place), source.given(place, None, "batch_first")
        if kind in LAYERS and getattr(told, "value", "") != "True":
            edit = source.argument(place, None, "batch_first", "True")
            yield from offered("batch-first", edit, 4, {"module": kind, "value": "True"})
