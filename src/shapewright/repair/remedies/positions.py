"""Positions counted along the sequence instead of the batch; a table turned to fit the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import BatchFirst, CountSteps, Misfit
from ..candidate import Candidate, Case
from ..source import Source

ANSWERS = (BatchFirst, CountSteps, Misfit)
TITLES = {
    "positions": {
        "en": "count positions along the sequence: {code}",
        "es": "contar las posiciones a lo largo de la secuencia: {code}",
        "ja": "位置を系列に沿って数える: {code}",
    },
    "table": {
        "en": "transpose the table to the layout of the input: {code}",
        "es": "transponer la tabla a la disposición de la entrada: {code}",
        "ja": "表を転置して入力の並びに合わせる: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the finding's line and its origins' lines: `size(0)`/`shape[0]` becomes 1 and back, with the new axis on the
    other side; a slice of a table is transposed."""
    for _, source, statement in case.simple(case.sites):
        yield from _turned(source, statement)
        yield from _table(source, statement)


def _turned(source: Source, statement) -> Iterator[Candidate]:
    text = source.text_of(statement)
    if "arange" not in text and "[:" not in text:
        return
    for old, new in ((0, 1), (1, 0)):
        swapped = re.sub(rf"\.size\({old}\)", f".size({new})", text)
        swapped = re.sub(rf"\.shape\[{old}\]", f".shape[{new}]", swapped)
        if swapped == text:
            continue
        yield Candidate("positions", (source.replace(statement, swapped),), 12, {"code": f"size({new})"})
        moved = _moved(swapped, old)
        if moved != swapped:
            yield Candidate("positions", (source.replace(statement, moved),), 6, {"code": f"size({new})"})
        if "[:" in swapped:
            turned = re.sub(
                rf"(\w+(?:\.\w+)*\[:\s*[\w.]+(?:\.size\({new}\)|\.shape\[{new}\])(?:,\s*:)*\])",
                r"\1.transpose(0, 1)",
                swapped,
            )
            if turned != swapped:
                yield Candidate("positions", (source.replace(statement, turned),), 9, {"code": f"size({new})"})


def _moved(text: str, old: int) -> str:
    """The new axis on the other side."""
    pairs = (
        ((".unsqueeze(1)", ".unsqueeze(0)"), ("[:, None]", "[None, :]"))
        if old == 0
        else ((".unsqueeze(0)", ".unsqueeze(1)"), ("[None, :]", "[:, None]"))
    )
    for a, b in pairs:
        text = text.replace(a, b)
    return text


def _table(source: Source, statement) -> Iterator[Candidate]:
    """`self.pe[:n]` transposed, unsqueezed or sliced along its second axis."""
    for place in source.within(statement, cst.Subscript):
        parts = [element.slice for element in place.node.slice]
        if parts and isinstance(parts[0], cst.Slice) and len(parts) == 1 and parts[0].lower is None:
            upper = source.code(parts[0].upper) if parts[0].upper is not None else ""
            value = source.text_of(source.place(place.node.value))
            yield Candidate("table", (source.suffix(place, ".transpose(0, 1)"),), 8, {"code": ".transpose(0, 1)"})
            yield Candidate("table", (source.suffix(place, ".squeeze(1)"),), 11, {"code": ".squeeze(1)"})
            yield Candidate("table", (source.replace(place, f"{value}[:, :{upper}]"),), 12, {"code": f"[:, :{upper}]"})
