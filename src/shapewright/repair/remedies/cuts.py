"""Tokens and pairs laid out another way: a mask cut as its targets are, a text dealt in long pieces, the two sides of a
table of pairs exchanged."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import AlignOrder
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source
from ..widened import alike

ANSWERS = (AlignOrder,)
TITLES = {
    "cut-alike": {
        "en": "slice the mask in the same way as the targets: {code}",
        "es": "recortar la máscara igual que los objetivos: {code}",
        "ja": "マスクをターゲットと同じように切る: {code}",
    },
    "exchange-pairs": {
        "en": "swap the two new axes of the pairwise comparison: {code}",
        "es": "intercambiar los dos ejes nuevos de la comparación por pares: {code}",
        "ja": "組ごとの比較で、2 つの新しい軸を入れ替える: {code}",
    },
    "long-pieces": {
        "en": "give each column one contiguous chunk of the text: {code}",
        "es": "dar a cada columna un trozo continuo del texto: {code}",
        "ja": "各列に、テキストの連続した 1 区間を入れる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For the findings `mask-shift-mismatch`, `tokens-split-across-columns` and `quantile-levels-on-targets`."""
    if case.remedy.kind in KINDS:
        yield from KINDS[case.remedy.kind](case)


@at(cst.Subscript, site=lambda case: case.remedy.site)
def _cut(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """`mask[:, :-1]` becomes `mask[:, 1:]`, wherever the statement says it."""
    if source.text_of(place).replace(" ", "").endswith("[:,:-1]"):
        text = f"{source.text_of(source.place(place.node.value))}[:, 1:]"
        edit = source.replace(place, text)
        yield Candidate("cut-alike", (edit, *alike(source, edit)), 2, {"code": text})


@at(cst.Call, arguments=2, method=True)
def _pieces(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """`x.view(-1, n)` becomes `x.view(n, -1).t()`."""
    if len(place.node.args) == 2:
        first, second = (source.text_of(source.place(a.value)) for a in place.node.args)
        text = f"{source.text_of(source.place(place.node.func))}({second}, {first}).t()"
        yield Candidate("long-pieces", (source.replace(place, text),), 2, {"code": f".view({second}, {first}).t()"})


def _exchanged(case: Case) -> Iterator[Candidate]:
    """`a.unsqueeze(2) - b.unsqueeze(1)` becomes `a.unsqueeze(1) - b.unsqueeze(2)`."""
    found = (pair for origin in case.facts.origins for pair in case.found(origin.site, cst.BinaryOperation))
    for source, place in found:
        sides = [call for part in (place.node.left, place.node.right) if (call := _raised(source, part)) is not None]
        if len(sides) == 2:
            text = f"{sides[0][0]}({sides[1][1]}) - {sides[1][0]}({sides[0][1]})"
            yield Candidate("exchange-pairs", (source.replace(place, text),), 2, {"code": text})


def _raised(source: Source, node: cst.BaseExpression) -> tuple[str, str] | None:
    """`x.unsqueeze` and the axis that it is given."""
    func = node.func if isinstance(node, cst.Call) else None
    if not isinstance(func, cst.Attribute) or func.attr.value != "unsqueeze" or len(node.args) != 1:
        return None
    return source.text_of(source.place(func)), source.text_of(source.place(node.args[0].value))


KINDS = {"mask": _cut, "columns": _pieces, "pairs": _exchanged}
