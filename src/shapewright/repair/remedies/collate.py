"""Samples of unequal length padded as they are put together, or put together by the function that the script has."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...rules.remedy import Misfit
from ...trace.said import Refusal
from ..candidate import Candidate, Case, offered
from ..source import Place, Source

ANSWERS = (Misfit,)
ROWS_PADDED = "pad-rows"
TITLES = {
    "pad": {
        "en": "pad the samples when they are collated: {code}",
        "es": "rellenar las muestras al agruparlas en lotes: {code}",
        "ja": "バッチにまとめるときにサンプルをパディングする: {code}",
    },
    ROWS_PADDED: {
        "en": "pad the rows to one length: {code}",
        "es": "rellenar las filas hasta una misma longitud: {code}",
        "ja": "行を同じ長さにパディングする: {code}",
    },
    "collate-with": {
        "en": "collate the samples with {code}",
        "es": "agrupar las muestras en lotes con {code}",
        "ja": "サンプルを {code} でバッチにまとめる",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a DataLoader, or a `stack` in a collate function, refuses samples of unequal length; as the script pads
    elsewhere, where it does."""
    if case.misfit.op != "collate" and Refusal.UNEQUAL not in case.failure.said:
        return
    every = list(case.calls())
    yield from _rows(case, every)
    pads, rest, ignored, told = _pad(case, every)
    for source, place in every:
        name = source.called(place)
        if name == "DataLoader" and source.given(place, None, "collate_fn") is None:
            for name in _unread(case):
                edit = source.argument(place, None, "collate_fn", name)
                yield from offered("collate-with", edit, 4, {"code": name})
            yield from _collated(source, place)
        elif name == "stack" and len(place.node.args) == 1 and place.line <= case.site.line <= place.end_line:
            inner = source.text_of(source.place(place.node.args[0].value))
            plain = re.sub(r",\s*padding_value=[^,]+", "", rest)
            ways = dict.fromkeys((rest, plain, *(f"{plain}, padding_value={number}" for number in ignored)))
            for rank, more in enumerate(ways):
                edit = source.replace(place, f"{pads}({inner}{more})")
                yield Candidate("pad", (edit,), 5 + rank, {"code": "pad_sequence"}, doubt="" if told else "padded")


def _rows(case: Case, every: list[tuple[Source, Place]]) -> Iterator[Candidate]:
    """Lists of numbers of several lengths, of which a tensor is made: each of its own, and these padded, with the
    number that an embedding of the script knows as padding."""
    known = {m.config["padding_idx"] for m in case.trace.modules.values() if type(m.config.get("padding_idx")) is int}
    number = next(iter(known)) if len(known) == 1 else 0
    for source, place in case.found(case.site, cst.Call, arguments=1):
        rows, *more = place.node.args
        listed = isinstance(rows.value, (cst.Name, cst.List, cst.ListComp, cst.Call))
        if not ops.is_a(source.called(place), "makes") or rows.star or rows.keyword is not None or not listed:
            continue
        bound = {name.node.value for name in source.of_kind(cst.Name)}
        row = next(name for name in (*ROWS, f"{source.called(place)}_row") if name not in bound)
        given = ", ".join(
            (row, *(source.code(argument.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for argument in more))
        )
        each = f"[{source.code(place.node.func)}({given}) for {row} in {source.code(rows.value)}]"
        filled = f", padding_value={number}" if number else ""
        code = f"{PAD}({each}, batch_first=True{filled})"
        yield Candidate(ROWS_PADDED, (source.replace(place, code),), 5, {"code": "pad_sequence", "value": str(number)})


def _unread(case: Case) -> Iterator[str]:
    """Functions of one argument that nothing calls or hands on."""
    every = [(source, place) for source in case.files() for place in source.of_kind(cst.FunctionDef)]
    for source, place in every:
        name, given = place.node.name.value, place.node.params
        plain = not given.kwonly_params and sum(one.default is None for one in given.params) == 1
        read = sum(one.node.value == name for other in case.files() for one in other.of_kind(cst.Name))
        if plain and read == 1 and source.indent(place.line) == "" and not place.node.decorators:
            yield name


def _pad(case: Case, every: list[tuple[Source, Place]]) -> tuple[str, str, list[str], bool]:
    """How the script calls `pad_sequence` and what it hands it beside the samples, else the library's own; the numbers
    that its losses ignore; whether it tells padding from data: it pads or packs, or an embedding knows padding."""
    ignored = [s.code(n) for s, call in every if (n := s.given(call, None, "ignore_index")) is not None]
    padding = any(isinstance(m.config.get("padding_idx"), int) for m in case.trace.modules.values())
    packs = any(s.called(call) == "pack_padded_sequence" for s, call in every)
    for source, call in every:
        if source.called(call) == "pad_sequence" and call.node.args:
            whole = source.text_of(call)
            rest = whole[len(source.text_of(source.place(call.node.func))) + 1 :]
            rest = rest.removeprefix(source.code(call.node.args[0].value)).removesuffix(")")
            return source.text_of(source.place(call.node.func)), rest, ignored, True
    return PAD, ", batch_first=True", ignored, padding or packs


ROWS = ("row", "one_row", "each_row")
PAD = "torch.nn.utils.rnn.pad_sequence"


def _collated(source: Source, place: Place) -> Iterator[Candidate]:
    single = f"lambda samples: {PAD}(samples, batch_first=True)"
    pairs = f"lambda samples: ({PAD}([x for x, _ in samples], batch_first=True), torch.tensor([y for _, y in samples]))"
    both = f"lambda samples: tuple({PAD}(part, batch_first=True) for part in zip(*samples))"
    for rank, code in enumerate((pairs, single, both)):
        yield from offered(
            "pad", source.argument(place, None, "collate_fn", code), 5 + rank, {"code": "pad_sequence"}, doubt="padded"
        )
