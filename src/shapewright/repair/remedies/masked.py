"""A mean of masked losses that counts what the mask keeps."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import CountMasked
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (CountMasked,)
TITLES = {
    "mean-masked": {
        "en": "divide by the number of real steps: {code}",
        "es": "dividir entre el número de pasos reales: {code}",
        "ja": "実際のステップ数で割る: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """For a masked mean that counts padding: `(losses * mask).sum() / mask.sum()`."""
    source, place = case.at(case.site, cst.Call)
    if place is None or not isinstance(place.node.func, cst.Attribute) or place.node.func.attr.value != "mean":
        return
    func = place.node.func
    library = isinstance(func.value, cst.Name) and func.value.value == "torch"
    if library and not place.node.args:
        return
    inner = source.place(place.node.args[0].value if library else func.value)
    for mask in dict.fromkeys(_masks(case, source, inner)):
        text = source.text_of(inner)
        total = (
            f"({text}).sum()"
            if not isinstance(inner.node, (cst.Name, cst.Attribute, cst.Call)) and not text.startswith("(")
            else f"{text}.sum()"
        )
        code = f"{total} / {mask}.sum()"
        alone = any(
            isinstance(p.node, (cst.Assign, cst.Return)) and source.place(p.node.value) == place
            for p in source.places
            if isinstance(p.node, (cst.Assign, cst.Return)) and p.node.value is not None
        )
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
