"""A class index is not one of the classes that the scores have.

## What it finds
A failing `cross_entropy`, `nll_loss` or `multi_margin_loss` with a target below 0 or at least as large as the number of
scores (`ignore_index` aside).

## Why it hurts
On the CPU the script stops at this line; on a GPU a device-side assertion may be reported later, at another line. Often
labels are counted from one, or a head has too few outputs.

## Example
    head = nn.Linear(64, 9)          # ten digits

## Instead
    head = nn.Linear(64, 10)

## Fix safety
Subtract one only if the smallest label is 1: a label of 0 would become -1.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.origins import Origins, blend
from ..facts import Facts
from ..failing import Call, misfit, refused, spans
from .index_out_of_range import _ids, _span

code = "SW126"


@refused("classifies", "classifies_by_margin", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing loss, the number of classes and the range of the targets."""
    scores, target = call.tensor("input"), call.tensor("target")
    span = _span(target)
    if scores is None or span is None or not scores.shape:
        return
    axis = 1 if len(scores.shape) > 1 else 0
    classes = scores.shape[axis]
    ignored = call.named.get("ignore_index", -100)
    least, greatest = span
    if greatest < classes and (least >= 0 or least == ignored):
        return
    one = least == 1 and greatest == classes
    yield Facts(
        call.site,
        why="from_one" if one else "negative" if greatest < classes else "why",
        fields={
            "loss": call.op,
            "index": greatest if greatest >= classes else least,
            "classes": classes,
            "last": classes - 1,
            "least": least,
            "greatest": greatest,
        },
        origins=blend(origins.of_axis(scores, axis), _ids(origins, target)),
        spans=spans(call, "input", "target"),
        remedy=misfit(call, "target", axis, classes, greatest + 1, problem="from_one" if one else ""),
    )


MESSAGES = {
    "en": {
        "message": (
            "the targets contain class {index}, which is out of range: the number of classes in the scores is {classes}"
        ),
        "why": "class indices go from 0 to {last}, but the targets go from {least} to {greatest}",
        "from_one": (
            "the targets go from {least} to {greatest} and seem to be counted from 1, but class indices go from 0 to "
            "{last}"
        ),
        "negative": (
            "class indices go from 0 to {last}; the targets go from {least} to {greatest}, and {least} is not the "
            "ignore_index"
        ),
    },
    "es": {
        "message": (
            "los objetivos contienen la clase {index}, que está fuera de rango: el número de clases de las "
            "puntuaciones es {classes}"
        ),
        "why": "los índices de clase van de 0 a {last}, pero los objetivos van de {least} a {greatest}",
        "from_one": (
            "los objetivos van de {least} a {greatest} y parecen contarse desde 1, pero los índices de clase van de 0 "
            "a {last}"
        ),
        "negative": (
            "los índices de clase van de 0 a {last}; los objetivos van de {least} a {greatest}, y {least} no es el "
            "ignore_index"
        ),
    },
    "ja": {
        "message": "ターゲットにクラス {index} (0 始まり) がありますが、スコアのクラス数は {classes} なので範囲外です",
        "why": "クラス番号は 0〜{last} ですが、ターゲットは {least}〜{greatest} です",
        "from_one": "ターゲットは {least}〜{greatest} で 1 から数えられているようですが、クラス番号は 0〜{last} です",
        "negative": (
            "クラス番号は 0〜{last} です。ターゲットは {least}〜{greatest} で、{least} は ignore_index ではありません"
        ),
    },
}
