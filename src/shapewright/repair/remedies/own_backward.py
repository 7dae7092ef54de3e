"""A gradient that a function of the user's own returns in another shape: its factors exchanged, the batch summed away,
or `None` for what needs none."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import ReturnGradient
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (ReturnGradient,)
TITLES = {
    "gradient": {
        "en": "return the gradient with the shape of the input: {code}",
        "es": "devolver el gradiente con la forma de la entrada: {code}",
        "ja": "入力と同じ形状で勾配を返す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """At the line that made the gradient, and at the `return`."""
    remedy = case.remedy
    found = (pair for origin in case.facts.origins for pair in case.found(origin.site))
    for number, (source, place) in enumerate(found):
        if remedy.missing > 0 and remedy.at < 0:
            code = ", None" * remedy.missing
            edit = source.replace(place, source.text_of(place) + code)
            yield Candidate("gradient", (edit,), 5, {"code": code})
            continue
        turned = len(remedy.got) == 2 and remedy.got == remedy.due[::-1]
        code = _exchanged(source, place) if turned else ""
        if code:
            yield Candidate("gradient", (source.replace(place, code),), 4 + number, {"code": code})
        for code, rank in (*([(".t()", 5)] if turned else []), *((code, 6) for code in _sums(remedy.got, remedy.due))):
            yield Candidate("gradient", (source.suffix(place, code),), rank + number, {"code": code})


def _exchanged(source: Source, place: Place) -> str:
    """`a.t() @ b` as `b.t() @ a`: the transpose of the product."""
    node = place.node
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.MatrixMultiply):
        return ""
    left, right = (source.text_of(source.place(side)) for side in (node.left, node.right))
    for mark in (".t()", ".T"):
        one, other = left.removesuffix(mark), right.removesuffix(mark)
        if (one, other) != (left, right):
            return f"{right}{mark} @ {one}" if one != left else f"{other} @ {left}{mark}"
    return ""


def _sums(got: tuple[int, ...], wanted: tuple[int, ...]) -> Iterator[str]:
    """What sums the axes away that the input does not have."""
    extra = len(got) - len(wanted)
    if not wanted and got:
        yield ".sum()"
    elif extra > 0 and got[extra:] == wanted:
        yield ".sum(0)" if extra == 1 else f".sum(dim={tuple(range(extra))})"
    elif extra > 0 and got[: len(wanted)] == wanted:
        yield ".sum(-1)" if extra == 1 else f".sum(dim={tuple(range(-extra, 0))})"
    elif extra == 2 and got[1:2] == wanted:
        yield ".sum(dim=(0, 2))"
    elif len(got) == 4 and len(wanted) == 1 and got[1] == wanted[0]:
        yield ".sum(dim=(0, 2, 3))"
    elif extra == 0:
        thin = tuple(axis for axis, (a, b) in enumerate(zip(got, wanted)) if a != b and b == 1)
        if thin:
            yield f".sum(dim={thin if len(thin) > 1 else thin[0]}, keepdim=True)"
