"""`Normalize` with the means of three channels, given pictures of one: one mean, or three channels."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...graph.flow import operands
from ...rules.remedy import Misfit
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "normalise": {
        "en": "make the input and the normalization have the same number of channels: {code}",
        "es": "igualar el número de canales de la entrada y de la normalización: {code}",
        "ja": "入力と正規化のチャネル数を揃える: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """Where a picture meets `(channels, 1, 1)` means of another number."""
    event = case.failure.event
    given = [fact for fact in operands(event) if fact.rank == 3] if event is not None else []
    if len(given) != 2 or given[1].shape[1:] != (1, 1) or given[0].shape[0] == given[1].shape[0]:
        return
    have, means = given[0].shape[0], given[1].shape[0]
    for source, place in case.calls("Normalize") if have == 1 else ():
        values = [_list(source, given.value, place.line) for given in place.node.args[:2]]
        if len(values) < 2 or any(value is None or len(value.node.elements) != means for value in values):
            continue
        edits = tuple(
            source.replace(value, f"({source.text_of(source.place(value.node.elements[0].value))},)")
            for value in values
        )
        fields = {"code": "Normalize((…,), (…,))"}
        yield Candidate("normalise", edits if edits[0] != edits[-1] else edits[:1], 5, fields)
        text = source.text_of(source.place(place.node.func)).rsplit("Normalize", 1)[0]
        start = Place(place.node, place.line, place.column, place.line, place.column)
        edit = source.replace(start, f"{text}Lambda(lambda picture: picture.expand({means}, -1, -1)), ")
        yield Candidate("normalise", (edit,), 8, {"code": f".expand({means}, -1, -1)"})


def _list(source: Source, node: cst.BaseExpression, line: int) -> Place | None:
    """A tuple or list as it is written, or as its name was bound."""
    place = source.place(node)
    if isinstance(node, cst.Name):
        place = source.binding(node.value, line) or next(
            (
                source.place(p.node.value)
                for p in source.of_kind(cst.Assign)
                if any(isinstance(t.target, cst.Name) and t.target.value == node.value for t in p.node.targets)
            ),
            place,
        )
    return place if isinstance(place.node, (cst.Tuple, cst.List)) else None
