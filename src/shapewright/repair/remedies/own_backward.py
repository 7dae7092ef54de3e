"""A gradient that a function of the user's own returns in another shape: its factors exchanged, the batch summed away,
or `None` for what needs none."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...rules.remedy import ReturnGradient
from ..candidate import Candidate, Case

ANSWERS = (ReturnGradient,)
TITLES = {
    "gradient": {
        "en": "return the gradient in the shape of its input: {code}",
        "es": "devolver el gradiente con la forma de su entrada: {code}",
        "ja": "入力と同じ形状で勾配を返す: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """At the line that made the gradient, and at the `return`."""
    got, wanted = case.remedy.got, case.remedy.due
    for number, origin in enumerate(case.facts.origins):
        source, place = case.at(origin.site)
        if place is None:
            continue
        if case.remedy.missing > 0 and case.remedy.at < 0:
            text = source.text_of(place)
            yield Candidate(
                "gradient",
                (source.replace(place, text + ", None" * case.remedy.missing),),
                5,
                {"code": ", None" * case.remedy.missing},
            )
            continue
        if len(got) == 2 and got == tuple(reversed(wanted)):
            turned = _exchanged(source, place)
            if turned:
                yield Candidate("gradient", (source.replace(place, turned),), 4 + number, {"code": turned})
            yield Candidate("gradient", (source.suffix(place, ".t()"),), 5 + number, {"code": ".t()"})
        for code in _sums(got, wanted):
            yield Candidate("gradient", (source.suffix(place, code),), 6 + number, {"code": code})


def _exchanged(source, place) -> str:
    """`a.t() @ b` as `b.t() @ a`: the transpose of the product."""
    node = place.node
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.MatrixMultiply):
        return ""
    left, right = source.text_of(source.place(node.left)), source.text_of(source.place(node.right))
    for mark in (".t()", ".T"):
        if left.endswith(mark):
            return f"{right}{mark} @ {left.removesuffix(mark)}"
        if right.endswith(mark):
            return f"{right.removesuffix(mark)} @ {left}{mark}"
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
