"""Axes turned before a convolution, or before and after a layer that reads the first axis as time."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import BatchFirst, TurnAxes
from ..candidate import Candidate, Case, offered

LAYERS = ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer", "MultiheadAttention")


ANSWERS = (BatchFirst, TurnAxes)
TITLES = {
    "conv-turned": {
        "en": "convolve over time: {code}",
        "es": "aplicar la convolución sobre el tiempo: {code}",
        "ja": "畳み込みを時間軸に沿わせる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a Conv1d over features, and for attention among samples."""
    if isinstance(case.remedy, BatchFirst):
        yield from _flags(case)
    elif case.remedy.to == "channels":
        yield from _convolution(case)


def _convolution(case: Case) -> Iterator[Candidate]:
    """`conv(x)` becomes `conv(x.transpose(1, 2))` and `in_channels` the number of features."""
    source, place = case.at(case.site, cst.Call)
    event = case.event
    module = case.trace.modules.get(case.remedy.module)
    if (
        place is None
        or not place.node.args
        or event is None
        or not event.args
        or getattr(event.args[0], "rank", 0) != 3
    ):
        return
    inner = source.place(place.node.args[0].value)
    found = case.module_call(module.uid) if module is not None else None
    size = found[0].argument(found[1], 0, "in_channels", str(event.args[0].shape[2])) if found is not None else None
    sized = (size,) if size is not None and event.args[0].shape[1] != event.args[0].shape[2] else ()
    turned = source.suffix(inner, ".transpose(1, 2)")
    yield Candidate("conv-turned", (turned, *sized), 5, {"code": ".transpose(1, 2)"})
    back = source.replace(
        place, f"{source.text_of(source.place(place.node.func))}({turned.replacement}).transpose(1, 2)"
    )
    yield Candidate("conv-turned", (back, *sized), 7, {"code": ".transpose(1, 2)"})


def _flags(case: Case) -> Iterator[Candidate]:
    """`batch_first=True` for every attention layer that a user file constructs without it. Read from the text: a
    TransformerEncoder runs copies."""
    for file in case.trace.sources:
        source = case.source(file)
        for place in source.places if source is not None else ():
            if isinstance(place.node, cst.Call) and source.called(place) in LAYERS and not _set(place):
                yield from offered(
                    "batch-first",
                    source.argument(place, None, "batch_first", "True"),
                    4,
                    {"module": source.called(place), "value": "True"},
                )


def _set(place) -> bool:
    return any(
        a.keyword is not None and a.keyword.value == "batch_first" and getattr(a.value, "value", "") == "True"
        for a in place.node.args
    )
