"""A mean of masked losses that counts what the mask keeps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import CountMasked
from ..candidate import Candidate, Case
from ..declared import at
from ..source import Place, Source

ANSWERS = (CountMasked,)
TITLES = {
    "mean-masked": {
        "en": "divide by the number of real steps, without padding: {code}",
        "es": "dividir entre el número de pasos reales, sin relleno: {code}",
        "ja": "パディングを除いたステップ数で割る: {code}",
    },
}


@at(cst.Call, method=True)
def propose(case: Case, source: Source, place: Place) -> Iterator[Candidate]:
    """For a masked mean that counts padding: `(losses * mask).sum() / mask.sum()`."""
    inner = source.operand(place) if place.node.func.attr.value == "mean" else None
    assigned = (p.node.value for p in source.of_kind((cst.Assign, cst.Return)))
    alone = any(value is place.node for value in assigned)
    for mask in dict.fromkeys(_masks(case, source, inner)) if inner is not None else ():
        text = source.text_of(inner)
        bare = isinstance(inner.node, (cst.Name, cst.Attribute, cst.Call)) or text.startswith("(")
        code = f"{text if bare else f'({text})'}.sum() / {mask}.sum()"
        yield Candidate("mean-masked", (source.replace(place, code if alone else f"({code})"),), 5, {"code": code})


def _masks(case: Case, source: Source, inner: Place) -> Iterator[str]:
    """The mask as the product reads it, else by its name."""
    node = inner.node
    if isinstance(node, cst.Name) and (bound := source.binding(node.value, inner.line)) is not None:
        node = bound.node
    name = case.facts.fields["mask"]
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        sides = [source.text_of(source.place(side)) for side in (node.left, node.right)]
        sides.sort(key=lambda text: (name not in text, "mask" not in text.lower()))
        for text in sides:
            yield (
                text
                if text.replace(".", "").replace("_", "").isalnum()
                or (text.endswith(")") and "(" in text and not text.startswith("("))
                else f"({text})"
            )
    elif name.isidentifier():
        yield name
