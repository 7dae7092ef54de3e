"""Two matrices whose inner sizes differ are multiplied.

## What it finds
A failing `@`, `matmul`, `mm`, `bmm`, `mv`, `dot`, `addmm` or `baddbmm`: the last axis of the left operand differs in
size from the axis of the right one that it is multiplied with (the second to last of a matrix), or their batch axes do
not agree, or an operand has a different number of axes than the call takes.

## Why it hurts
The script stops. Often the right operand should have been transposed, or its batch axis is elsewhere.

## Example
    scores = queries @ keys                        # (8, 10, 64) @ (8, 10, 64)

## Instead
    scores = queries @ keys.transpose(-2, -1)      # (8, 10, 10)

## Fix safety
A transpose that makes sizes fit may still pair the wrong axes where two sizes agree by chance; look at what the axes
mean.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW103"


@refused("products", event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing product and the two axes that should agree."""
    entry, found = ops.find(call.op), call.violated
    if entry is None or found is None:
        return
    left_name, right_name = entry.parameters[1:3] if "adds_product" in entry.tags else entry.parameters[:2]
    left, right = call.tensor(left_name), call.tensor(right_name)
    if left is None or right is None:
        return
    fields = {
        "op": call.op,
        "left": shape_text(left.shape),
        "right": shape_text(right.shape),
        "inner": 0,
        "other": 0,
        "rank": 0,
        "own": 0,
    }
    labels = spans(call, left_name, right_name)
    if found.axis < 0:
        fact, rank = call.tensor(found.operand), found.expected or 1
        yield Facts(
            call.site,
            "rank",
            "why_rank",
            fields | {"rank": found.expected or "≥ 1", "own": found.size, "which": found.operand},
            blend(origins.of_rank(fact)),
            spans=labels,
            remedy=misfit(call, found.operand, None, found.size, rank, problem="rank"),
        )
        return
    inner = -2 if len(right.shape) > 1 and call.op != "inner" else -1
    if ops.use_of(call.event, found.operand, found.axis) == "inner":
        turned = len(right.shape) > 1 and left.shape[-1] == right.shape[-1]
        yield Facts(
            call.site,
            why="turned" if turned else "why",
            fields=fields | {"inner": left.shape[-1], "other": right.shape[inner], "which": ""},
            origins=blend(origins.of_axis(left, -1), origins.of_axis(right, inner)),
            spans=labels,
            remedy=misfit(call, right_name, inner, right.shape[inner], left.shape[-1], turned=turned),
        )
    else:
        pairs = zip(reversed(left.shape[:-2]), reversed(right.shape[:-2]))
        sides = next((pair for pair in pairs if pair[0] != pair[1] and 1 not in pair), (left.shape[0], right.shape[0]))
        yield Facts(
            call.site,
            "batch",
            "why_batch",
            fields | {"inner": sides[0], "other": sides[1], "which": ""},
            blend(origins.of_axis(left, 0), origins.of_axis(right, 0)),
            spans=labels,
            remedy=misfit(call, right_name, 0, right.shape[0], left.shape[0], problem="batch"),
        )


MESSAGES = {
    "en": {
        "message": "{op} of {left} and {right}: the inner sizes {inner} and {other} differ",
        "why": (
            "the last axis of the left operand has size {inner}, but the axis that it is multiplied with in the right "
            "operand has size {other}"
        ),
        "turned": (
            "the left operand's last axis ({inner}) is multiplied with an axis of size {other} of the right operand; "
            "the right operand's last axis has size {inner}, so a transpose seems to be missing"
        ),
        "batch": "{op} of {left} and {right}: the batch axes differ",
        "why_batch": "on a batch axis, the left operand has size {inner} and the right one {other}",
        "rank": "{op} of {left} and {right}: {which} has the wrong number of axes",
        "why_rank": "the number of axes is {own}, but {op} needs {rank}",
    },
    "es": {
        "message": "{op} de {left} y {right}: los tamaños interiores {inner} y {other} no coinciden",
        "why": (
            "el último eje del operando izquierdo tiene tamaño {inner}, pero el eje correspondiente del operando "
            "derecho tiene tamaño {other}"
        ),
        "turned": (
            "el último eje del operando izquierdo ({inner}) se multiplica con un eje de tamaño {other} del operando "
            "derecho; el último eje del derecho tiene tamaño {inner}, así que parece faltar una transposición"
        ),
        "batch": "{op} de {left} y {right}: los ejes de lote no coinciden",
        "why_batch": "en un eje de lote, el operando izquierdo tiene tamaño {inner} y el derecho {other}",
        "rank": "{op} de {left} y {right}: {which} tiene un número de ejes equivocado",
        "why_rank": "el número de ejes es {own}, pero {op} necesita {rank}",
    },
    "ja": {
        "message": "{left} と {right} の {op}: 内側のサイズ {inner} と {other} が違います",
        "why": (
            "左のオペランドの最後の軸のサイズは {inner} ですが、それと掛け合わせる右のオペランドの軸のサイズは {other} "
            "です"
        ),
        "turned": (
            "左のオペランドの最後の軸 ({inner}) が、右のオペランドのサイズ {other} の軸と掛け合わされています。"
            "右の最後の軸のサイズは {inner} なので、転置が抜けているようです"
        ),
        "batch": "{left} と {right} の {op}: バッチ軸のサイズが違います",
        "why_batch": "あるバッチ軸のサイズが、左では {inner}、右では {other} です",
        "rank": "{left} と {right} の {op}: {which} の軸の数が合いません",
        "why_rank": "軸の数は {own} ですが、{op} に必要な軸の数は {rank} です",
    },
}
