"""Samples of unequal length padded as they are put together."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..source import Source

ANSWERS = (Misfit,)
TITLES = {
    "pad": {
        "en": "pad the samples when they are collated: {code}",
        "es": "rellenar las muestras al agruparlas en lotes: {code}",
        "ja": "バッチにまとめるときにサンプルをパディングする: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a DataLoader, or a `stack` in a collate function, refuses samples of unequal length."""
    failure = case.trace.failure
    if failure is None or (case.misfit.op != "collate" and Refusal.UNEQUAL not in failure.said):
        return
    for file in case.trace.sources:
        source = case.source(file)
        if source is None:
            continue
        for place in source.places:
            if not isinstance(place.node, cst.Call):
                continue
            name = source.text_of(source.place(place.node.func)).split(".")[-1]
            if name == "DataLoader" and not any(
                a.keyword is not None and a.keyword.value == "collate_fn" for a in place.node.args
            ):
                yield from _collated(source, place)
            elif name == "stack" and len(place.node.args) == 1 and place.line <= case.site.line <= place.end_line:
                inner = source.text_of(source.place(place.node.args[0].value))
                yield Candidate(
                    "pad",
                    (source.replace(place, f"{_pad()}({inner}, batch_first=True)"),),
                    5,
                    {"code": "pad_sequence"},
                    doubt="padded",
                )


def _pad() -> str:
    return "torch.nn.utils.rnn.pad_sequence"


def _collated(source: Source, place) -> Iterator[Candidate]:
    single = f"lambda samples: {_pad()}(samples, batch_first=True)"
    pairs = (
        f"lambda samples: ({_pad()}([x for x, _ in samples], batch_first=True), torch.tensor([y for _, y in samples]))"
    )
    both = f"lambda samples: tuple({_pad()}(part, batch_first=True) for part in zip(*samples))"
    for rank, code in enumerate((pairs, single, both)):
        edit = source.argument(place, None, "collate_fn", code)
        if edit is not None:
            yield Candidate("pad", (edit,), 5 + rank, {"code": "pad_sequence"}, doubt="padded")
