"""An element-wise loss gets an output and a target of different sizes.

## What it finds
A failing `mse_loss`, `l1_loss`, `smooth_l1_loss`, `huber_loss`, `kl_div`, `binary_cross_entropy(_with_logits)` or a
similar loss whose input and target have shapes that do not broadcast (for the binary cross-entropies: shapes that are
not equal).

## Why it hurts
The script stops. The binary cross-entropies stop at every difference; losses such as `mse_loss` run on where the shapes
broadcast, and then compare values that may not belong together.

## Example
    loss = BCEWithLogitsLoss()(model(x), y)       # (16, 1) and (16,)

## Instead
    loss = BCEWithLogitsLoss()(model(x).squeeze(-1), y)

## Fix safety
Between `(batch, 1)` and `(batch,)`, `squeeze(-1)` and `unsqueeze(-1)` work at every batch size. A decoder whose output
is larger than its input needs other layer arguments, not a cut."""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.origins import Origins, blend, distinct
from ...ops.shapes import disagreeing
from ..facts import Facts
from ..failing import Call, misfit, refused, shape_text, spans

code = "SW127"

COMPARING = ops.named("regresses", "binary", "divergences", "multilabels", "classifies_by_margin")


@refused(*COMPARING, event=False)
def check(call: Call, origins: Origins) -> Iterator[Facts]:
    """The failing loss and the axis on which its input and its target part."""
    if call.violated is None:
        return
    given, target = call.tensor("input"), call.tensor("target")
    if given is None or target is None or given.shape == target.shape:
        return
    g, t = given.shape, target.shape
    wrong = disagreeing(g, t)
    back = wrong[0] if wrong else None
    if len(g) != len(t):
        longer, shorter = (given, target) if len(g) > len(t) else (target, given)
        extra = next(
            (
                i
                for i in range(len(longer.shape) - 1, -1, -1)
                if longer.shape[:i] + longer.shape[i + 1 :] == shorter.shape
            ),
            None,
        )
        chain = [
            origins.of_axis(longer, extra if extra is not None else -1),
            distinct([*origins.of_rank(shorter)[:3], *origins.of_axis(shorter, 0)]),
        ]
        why = "extra" if extra is not None else "rank"
        axis = extra
    else:
        axis = back if back is not None else next(b for b in range(-1, -len(g) - 1, -1) if g[b] != t[b])
        longer, shorter = given, target
        chain = [origins.of_axis(given, axis), origins.of_axis(target, axis)]
        why = "turned" if sorted(g) == sorted(t) else "why"
    place = (axis if axis >= 0 else axis + len(longer.shape)) if axis is not None else 0
    yield Facts(
        call.site,
        "message",
        why,
        {
            "loss": call.op,
            "input": shape_text(g),
            "target": shape_text(t),
            "axis": place,
            "size": longer.shape[place] if longer.shape else 0,
            "m": g[axis] if axis is not None and len(g) == len(t) else len(g),
            "n": t[axis] if axis is not None and len(g) == len(t) else len(t),
            "longer": "input" if longer is given else "target",
        },
        blend(*chain),
        spans=spans(call, "input", "target"),
        remedy=misfit(call, "input" if longer is given else "target", axis, None, None),
    )


MESSAGES = {
    "en": {
        "message": "{loss} got an input of shape {input} and a target of shape {target}, which do not match",
        "why": "axis {axis} has size {m} in the input and {n} in the target",
        "turned": "input and target have the same sizes in a different order, so axes seem to be swapped",
        "extra": "the {longer} has one more axis: axis {axis}, of size {size}",
        "rank": "the number of axes is {m} in the input, but {n} in the target",
    },
    "es": {
        "message": "{loss} recibe una entrada de forma {input} y un objetivo de forma {target}, que no encajan",
        "why": "el eje {axis} tiene tamaño {m} en la entrada y {n} en el objetivo",
        "turned": (
            "la entrada y el objetivo tienen los mismos tamaños en otro orden, así que parece haber ejes intercambiados"
        ),
        "extra": "{longer} tiene un eje de más: el eje {axis}, de tamaño {size}",
        "rank": "el número de ejes es {m} en la entrada, pero {n} en el objetivo",
    },
    "ja": {
        "message": "{loss} の入力 {input} とターゲット {target} の形状が合いません",
        "why": "軸 {axis} のサイズが、入力では {m}、ターゲットでは {n} です",
        "turned": "入力とターゲットの軸のサイズは同じですが、順序が違います。軸が入れ替わっているようです",
        "extra": "{longer} の方に軸が 1 つ多く、軸 {axis} のサイズは {size} です",
        "rank": "入力の軸は {m} つ、ターゲットの軸は {n} つです",
    },
}
