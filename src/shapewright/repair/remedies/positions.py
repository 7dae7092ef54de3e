"""Positions counted along the sequence instead of the batch; a table turned to fit the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import BatchFirst, CountSteps, Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (BatchFirst, CountSteps, Misfit)
TITLES = {
    "positions": {
        "en": "count the positions along the sequence axis: {code}",
        "es": "contar las posiciones a lo largo del eje de la secuencia: {code}",
        "ja": "位置を系列の軸に沿って数える: {code}",
    },
    "table": {
        "en": "give the position table the same axis order as the input: {code}",
        "es": "dar a la tabla de posiciones el mismo orden de ejes que la entrada: {code}",
        "ja": "位置の表の軸の順を入力に合わせる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the finding's line and its origins' lines: `size(0)`/`shape[0]` becomes 1 and back, with the new axis on the
    other side; a slice of a table is transposed."""
    for _, source, statement in case.simple(case.sites):
        yield from _turned(source, statement)
        yield from _table(source, statement)


def _turned(source: Source, statement: Place) -> Iterator[Candidate]:
    text = source.text_of(statement)
    for old, new in ((0, 1), (1, 0)) if "arange" in text or "[:" in text else ():
        swapped = text.replace(f".size({old})", f".size({new})").replace(f".shape[{old}]", f".shape[{new}]")
        read = rf"(\w+(?:\.\w+)*\[:\s*[\w.]+(?:\.size\({new}\)|\.shape\[{new}\])(?:,\s*:)*\])"
        turned = re.sub(read, r"\1.transpose(0, 1)", swapped) if "[:" in swapped else swapped
        for made, rank in ((swapped, 12), (_moved(swapped, old), 6), (turned, 9)) if swapped != text else ():
            if rank == 12 or made != swapped:
                yield Candidate("positions", (source.replace(statement, made),), rank, {"code": f"size({new})"})


def _moved(text: str, old: int) -> str:
    """The new axis on the other side."""
    pairs = ((".unsqueeze(1)", ".unsqueeze(0)"), ("[:, None]", "[None, :]"))
    for a, b in pairs if old == 0 else (pair[::-1] for pair in pairs):
        text = text.replace(a, b)
    return text


def _table(source: Source, statement: Place) -> Iterator[Candidate]:
    """`self.pe[:n]` transposed, unsqueezed or sliced along its second axis."""
    for place in source.within(statement, cst.Subscript):
        first, *others = [element.slice for element in place.node.slice]
        if isinstance(first, cst.Slice) and not others and first.lower is None:
            upper = source.code(first.upper) if first.upper is not None else ""
            value, cut = source.text_of(source.place(place.node.value)), f"[:, :{upper}]"
            for code, rank in ((".transpose(0, 1)", 8), (".squeeze(1)", 11)):
                yield Candidate("table", (source.suffix(place, code),), rank, {"code": code})
            yield Candidate("table", (source.replace(place, value + cut),), 12, {"code": cut})
