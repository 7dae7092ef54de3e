"""A classification loss gets targets of a different shape from the one that its scores require.

## What it finds
A failing `cross_entropy` or `nll_loss`: scores `(batch, classes)` expect indices `(batch,)`; scores `(batch, classes,
d1, ...)` expect `(batch, d1, ...)`.

## Why it hurts
The script stops. Often the targets have an extra axis of size 1, the scores have their classes last, or a `view` put
several samples into one row.

## Example
    loss = cross_entropy(logits, tokens)              # (batch, time, vocabulary) and (batch, time)

## Instead
    loss = cross_entropy(logits.flatten(0, 1), tokens.flatten())

## Fix safety
`squeeze(-1)` removes only the last axis of the targets, if its size is 1; `squeeze()` also removes the batch axis when
the batch size is 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...graph.origins import Origins, blend
from ...ops.shapes import elements
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW125"


@refused("classifies", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing loss, its scores and targets, and which of the two carries the odd axis."""
    scores, target = call.tensor("input"), call.tensor("target")
    if scores is None or target is None:
        return
    s, t = scores.shape, target.shape
    wanted = (s[0], *s[2:]) if len(s) > 1 else ()
    soft = target.dtype.startswith("float") and call.op == "cross_entropy" and s == t
    weight = call.tensor("weight")
    if weight is not None and s and weight.shape != (s[1 if len(s) > 1 else 0],):
        classes = s[1 if len(s) > 1 else 0]
        yield Facts(
            call.site,
            "weights",
            "why_weights",
            {
                "loss": call.op,
                "scores": shape_text(s),
                "target": shape_text(weight.shape),
                "wanted": shape_text((classes,)),
                "n": s[0],
                "m": 0,
                "classes": classes,
            },
            blend(
                origins.of_axis(weight, 0),
                origins.of_axis(scores, 1 if len(s) > 1 else 0),
                origins.of_module(call.module) if call.config("library") == "torch" else [],
            ),
            spans=spans(call, "input", "weight"),
            remedy=misfit(call, "weight", 0, weight.shape[0] if weight.shape else 0, classes, problem="weight"),
        )
        return
    if t == wanted or soft or not s:
        return
    fields = {
        "loss": call.op,
        "scores": shape_text(s),
        "target": shape_text(t),
        "wanted": shape_text(wanted),
        "n": s[0],
        "m": t[0] if t else 0,
        "classes": s[-1],
    }
    data = misfit(call, "target", None, None, None, wanted_shape=wanted)
    if len(t) == len(wanted) + 1 and elements(t) == elements(wanted):
        axis = next((i for i, n in enumerate(t) if n == 1 and t[:i] + t[i + 1 :] == wanted), len(t) - 1)
        why, chain = "extra" if t[axis] == 1 else "unflattened", [origins.of_axis(target, axis)]
        data = replace(data, axis=axis, problem="extra")
    elif t == s:
        why, chain = "one_hot", [origins.of_axis(target, -1)]
        data = replace(data, problem="one_hot")
    elif len(s) >= 3 and t == s[:-1]:
        why, chain = "classes_last", [origins.of_axis(scores, -1), origins.of_axis(target, -1)]
        data = replace(data, problem="classes_last", operand="input")
    elif not t or not wanted:
        why, chain = (
            "rank",
            [origins.of_rank(scores if not wanted else target), origins.of_rank(target if not wanted else scores)],
        )
        data = replace(data, problem="rank")
    elif t[0] != s[0]:
        why = "folded" if elements(t) % s[0] == 0 or s[0] % max(1, t[0]) == 0 else "why"
        chain = [origins.of_axis(scores, 0), origins.of_axis(target, 0)]
        data = replace(data, problem="batch", axis=0, size=t[0], wanted=s[0])
        if len(s) == 2 and s[0] == elements(t):
            why = "unflattened"
    else:
        axis = next((i for i in range(1, min(len(t), len(wanted))) if t[i] != wanted[i]), 0)
        why, chain = (
            "why",
            [
                origins.of_axis(scores, axis + 1 if axis + 1 < len(s) else -1),
                origins.of_axis(target, axis),
                origins.of_rank(scores),
            ],
        )
        data = replace(data, problem="size", axis=axis)
    yield Facts(call.site, "message", why, fields, blend(*chain), spans=spans(call, "input", "target"), remedy=data)


MESSAGES = {
    "en": {
        "weights": (
            "{loss} expects one weight per class (number of classes: {classes}), but got weights of shape {target}"
        ),
        "why_weights": "the scores have shape {scores}",
        "message": "{loss}: targets {target} do not fit scores {scores}; class indices need shape {wanted}",
        "why": "axis 1 of the scores {scores} holds the classes; all other axes must match the targets",
        "extra": "the targets {target} have an extra axis of size 1, which class indices do not have",
        "one_hot": (
            "the targets {target} have the shape of the scores, as one-hot targets do; class indices have no class axis"
        ),
        "classes_last": (
            "the {classes} classes of the scores {scores} seem to be on the last axis; this loss expects them on axis 1"
        ),
        "folded": (
            "axis 0 has size {n} in the scores and {m} in the targets; samples may have been merged or split on the "
            "way to the loss"
        ),
        "unflattened": (
            "the targets {target} have the right number of values, but not the shape that class indices need"
        ),
        "rank": (
            "the axes of the scores {scores} and the targets {target} do not match; one of the two tensors seems to "
            "have no batch axis"
        ),
    },
    "es": {
        "weights": "{loss} espera un peso por clase (número de clases: {classes}), pero recibe pesos de forma {target}",
        "why_weights": "las puntuaciones tienen forma {scores}",
        "message": (
            "{loss}: los objetivos {target} no encajan con las puntuaciones {scores}; los índices de clase necesitan "
            "la forma {wanted}"
        ),
        "why": (
            "el eje 1 de las puntuaciones {scores} contiene las clases; los demás ejes deben coincidir con los "
            "objetivos"
        ),
        "extra": "los objetivos {target} tienen un eje de más de tamaño 1, que los índices de clase no tienen",
        "one_hot": (
            "los objetivos {target} tienen la forma de las puntuaciones, como los objetivos one-hot; los índices de "
            "clase no tienen eje de clases"
        ),
        "classes_last": (
            "las {classes} clases de las puntuaciones {scores} parecen estar en el último eje; esta pérdida las "
            "espera en el eje 1"
        ),
        "folded": (
            "el eje 0 tiene tamaño {n} en las puntuaciones y {m} en los objetivos; quizá de camino a la pérdida se "
            "hayan unido o separado muestras"
        ),
        "unflattened": (
            "los objetivos {target} tienen el número de valores correcto, pero no la forma que necesitan los índices "
            "de clase"
        ),
        "rank": (
            "los ejes de las puntuaciones {scores} y de los objetivos {target} no se corresponden; uno de los dos "
            "tensores parece no tener eje de lote"
        ),
    },
    "ja": {
        "weights": (
            "{loss} の重みはクラスごとに 1 つ (クラス数 {classes}) 必要ですが、渡された重みの形状は {target} です"
        ),
        "why_weights": "スコアの形状は {scores} です",
        "message": "{loss}: ターゲット {target} がスコア {scores} に合いません。クラス番号なら形状は {wanted} です",
        "why": "スコア {scores} の軸 1 がクラスで、ほかの軸はターゲットと同じでなければなりません",
        "extra": "ターゲット {target} には、クラス番号にはないサイズ 1 の軸が余分にあります",
        "one_hot": "ターゲット {target} は one-hot のようにスコアと同じ形状です。クラス番号にはクラスの軸がありません",
        "classes_last": (
            "スコア {scores} の {classes} クラスは最後の軸にあるようですが、この損失では軸 1 "
            "がクラスでなければなりません"
        ),
        "folded": (
            "軸 0 のサイズが、スコアでは {n}、ターゲットでは {m} です。損失までの途中でサンプルがまとめられたか、分けら"
            "れたのかもしれません"
        ),
        "unflattened": "ターゲット {target} の値の個数は合っていますが、クラス番号に必要な形状ではありません",
        "rank": "スコア {scores} とターゲット {target} の軸が対応していません。どちらかにバッチの軸がないようです",
    },
}
