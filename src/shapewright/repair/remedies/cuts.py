"""Tokens and pairs laid out another way: a mask cut as its targets are, a text dealt in long pieces, the two sides of a
table of pairs exchanged."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import AlignOrder
from ...trace import Site
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (AlignOrder,)
TITLES = {
    "cut-alike": {
        "en": "slice the mask like the targets: {code}",
        "es": "recortar la máscara como los objetivos: {code}",
        "ja": "マスクをターゲットと同じ側で切る: {code}",
    },
    "exchange-pairs": {
        "en": "swap the two axes of the table: {code}",
        "es": "intercambiar los dos ejes de la tabla: {code}",
        "ja": "表の 2 つの軸を入れ替える: {code}",
    },
    "long-pieces": {
        "en": "give each column one contiguous piece of text: {code}",
        "es": "dar a cada columna un trozo continuo de texto: {code}",
        "ja": "各列に連続した 1 区間を入れる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For the findings `mask-shift-mismatch`, `tokens-split-across-columns` and `quantile-levels-on-targets`."""
    if case.remedy.kind == "mask":
        yield from _cut(case)
    elif case.remedy.kind == "columns":
        yield from _pieces(case)
    elif case.remedy.kind == "pairs":
        yield from _exchanged(case)


def _cut(case: Case) -> Iterator[Candidate]:
    """`mask[:, :-1]` becomes `mask[:, 1:]`, wherever the statement says it."""
    source, place = _at(case, case.remedy.site, cst.Subscript)
    if place is not None and source.text_of(place).replace(" ", "").endswith("[:,:-1]"):
        text = f"{source.text_of(source.place(place.node.value))}[:, 1:]"
        edit = source.replace(place, text)
        yield Candidate("cut-alike", (edit, *source.alike(edit)), 2, {"code": text})


def _pieces(case: Case) -> Iterator[Candidate]:
    """`x.view(-1, n)` becomes `x.view(n, -1).t()`."""
    source, place = _at(case, case.site, cst.Call)
    if place is None or len(place.node.args) != 2 or not isinstance(place.node.func, cst.Attribute):
        return
    first, second = (source.text_of(source.place(a.value)) for a in place.node.args)
    text = f"{source.text_of(source.place(place.node.func))}({second}, {first}).t()"
    yield Candidate("long-pieces", (source.replace(place, text),), 2, {"code": f".view({second}, {first}).t()"})


def _exchanged(case: Case) -> Iterator[Candidate]:
    """`a.unsqueeze(2) - b.unsqueeze(1)` becomes `a.unsqueeze(1) - b.unsqueeze(2)`."""
    for origin in case.facts.origins:
        source, place = _at(case, origin.site, cst.BinaryOperation)
        if place is None:
            continue
        sides = [source.place(part) for part in (place.node.left, place.node.right)]
        if all(
            isinstance(side.node, cst.Call)
            and isinstance(side.node.func, cst.Attribute)
            and side.node.func.attr.value == "unsqueeze"
            and len(side.node.args) == 1
            for side in sides
        ):
            heads = [source.text_of(source.place(side.node.func)) for side in sides]
            axes = [source.text_of(source.place(side.node.args[0].value)) for side in sides]
            text = f"{heads[0]}({axes[1]}) - {heads[1]}({axes[0]})"
            yield Candidate("exchange-pairs", (source.replace(place, text),), 2, {"code": text})


def _at(case: Case, site: Site | None, kind: type) -> tuple[Source | None, Place | None]:
    source = case.source(site.file) if site is not None else None
    return source, source.at(site, kind) if source is not None else None
