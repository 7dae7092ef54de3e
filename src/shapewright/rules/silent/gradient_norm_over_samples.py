"""The norm of a gradient penalty runs over the samples of the batch instead of over each sample's values.

## What it finds
A norm (or the root of a sum of squares) of gradients from `torch.autograd.grad` with respect to a batch of inputs that
also runs over the samples and is then compared with a number: `(norm - 1) ** 2`. Also one that runs over a single axis
of each sample, such as the channel of a picture, although the network gives one score per sample. Also the norm of an
error in a loss, computed per column over all samples.

## Why it hurts
The penalty should bring the norm of the gradient at *each* sample close to 1. The norm over all samples depends on the
batch size: in the example, the critic is trained towards a gradient norm of about `1 / sqrt(batch size)` at each
sample. A norm per pixel pushes the gradient at every single pixel to 1, so the norm of the whole picture is many times
too large.

## Example
    grads = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)[0]
    penalty = ((grads.norm(2) - 1) ** 2).mean()

## Instead
    penalty = ((grads.flatten(1).norm(2, dim=1) - 1) ** 2).mean()

## Fix safety
Safe where axis 0 is the sample axis: the penalty is then taken at each of them.
"""

from __future__ import annotations

import math

from ... import ops
from ...graph.flow import (
    POINTWISE,
    RESHAPING,
    argument,
    backward,
    forward,
    operands,
    produced,
    reduced_to_scalar,
    result_shape,
)
from ..axis_use import AxisUse, Seen, declared, set_dim
from ..remedy import Remedy

code = "SW272"


def _no_penalty(seen: Seen) -> bool:
    """It is no norm of gradients by the inputs, or none that is held against a number and becomes a loss."""
    taken = any(ops.is_a(made.op, "differentiates") for made in backward(seen.trace, seen.fact, POINTWISE | RESHAPING))
    users = [seen.event, *forward(seen.trace, seen.event, POINTWISE, 6)] if taken else []
    rooted = ops.is_a(seen.event.op, "measures") or any(ops.is_a(user.op, "roots", "powers") for user in users[1:3])
    held = next(
        (user for user in users if user.op == "sub" and isinstance(argument(user, 1, "other"), (int, float))), None
    )
    return not rooted or held is None or not (result_shape(held) == () or reduced_to_scalar(seen.trace, held))


def _no_error(seen: Seen) -> bool:
    """It is no norm of what a prediction is off by, one for each column, that becomes a loss."""
    made = produced(seen.trace, seen.fact)
    off = operands(made) if made is not None and made.op == "sub" and seen.event.result is not None else []
    plain = len(off) == 2 and [fact.requires_grad for fact in off].count(True) == 1 and off[0].rank == off[1].rank
    columns = result_shape(seen.event) or ()
    lost = seen.fact.rank - len([size for size in columns if size > 1])
    return not plain or seen.fact.rank < 2 or lost != 1 or reduced_to_scalar(seen.trace, seen.event) is None


def _own(seen: Seen, wanted: int | None) -> Remedy | None:
    """The axis of each sample's values, where there is one: of several, none alone would do."""
    return set_dim(seen, 1) if seen.fact.rank == 2 and seen.axis == 0 else None


def _apart(seen: Seen) -> bool:
    """It leaves one number per sample, or the network scored parts of each sample."""
    taken = next(
        (
            made
            for made in backward(seen.trace, seen.fact, POINTWISE | RESHAPING)
            if ops.is_a(made.op, "differentiates")
        ),
        None,
    )
    scores = operands(taken)[:1] if taken is not None else []
    if scores and scores[0].shape == ():
        total = produced(seen.trace, scores[0])
        scores = operands(total)[:1] if total is not None and ops.is_a(total.op, "totals") else []
    left = [size for size in (result_shape(seen.event) or ()) if size > 1]
    count = seen.fact.shape[0]
    whole = not scores or scores[0].shape is None or math.prod(scores[0].shape) != count or count < 2
    return whole or len(left) < 2 or left[0] != count or seen.axis == 0


_LINE = {"never": "samples merged", "unless": (_no_penalty,), "remedy": _own}
_ERROR = AxisUse(
    ("measures",), "reduced", "samples", unless=(_no_error,), message="error", why="why_error", severity="warning"
)
_PARTS = {
    "never": "samples merged features steps places unmade one",
    "unless": (_no_penalty, _apart),
    "message": "parts",
    "why": "why_parts",
    "remedy": None,
}
check = declared(
    *(AxisUse((op,), "reduced", **line) for op in ("measures", "sums") for line in (_LINE, _PARTS)), _ERROR
)

MESSAGES = {
    "en": {
        "message": (
            "{op} of the gradients {shape} also runs over the samples (axis {dim}); the penalty should be computed per "
            "sample"
        ),
        "why": (
            "the penalty should compare the gradient norm of each sample with a fixed value, but here there is a "
            "single norm over all samples, and that norm depends on the batch size"
        ),
        "parts": (
            "{op} of the gradients {shape} runs over axis {dim} only; the penalty should be computed per sample, not "
            "for each entry of {result}"
        ),
        "why_parts": (
            "the network gives one score per sample, so the penalty should compare the gradient norm of a whole sample "
            "with a fixed value; here it compares the norm at every entry of {result} with it"
        ),
        "error": (
            "{op} of the error {shape} runs over the {samples} samples (axis {dim}), not over the values of each sample"
        ),
        "why_error": "the norm is computed per column over all samples of the batch, not per sample",
    },
    "es": {
        "message": (
            "{op} de los gradientes {shape} se calcula también a lo largo de las muestras (eje {dim}); la "
            "penalización debe calcularse por muestra"
        ),
        "why": (
            "la penalización debe comparar la norma del gradiente de cada muestra con un valor fijo, pero aquí hay una "
            "sola norma sobre todas las muestras, y esa norma depende del tamaño del lote"
        ),
        "parts": (
            "{op} de los gradientes {shape} se calcula solo sobre el eje {dim}; la penalización debe ser por muestra, "
            "no para cada elemento de {result}"
        ),
        "why_parts": (
            "la red da una puntuación por muestra, así que la penalización debe comparar con un valor fijo la norma "
            "del gradiente de la muestra entera; aquí compara con él la norma en cada elemento de {result}"
        ),
        "error": "{op} del error {shape} se calcula a lo largo de las {samples} muestras (eje {dim}), no sobre los "
        "valores de cada una",
        "why_error": "la norma se calcula por columna sobre todas las muestras del lote, no por muestra",
    },
    "ja": {
        "message": "勾配 {shape} の {op} がサンプルの軸 {dim} にもわたっています。ペナルティはサンプルごとに計算します",
        "why": (
            "ペナルティはサンプルごとの勾配ノルムを一定の値と比べるものですが、ここでは全サンプルをまとめた 1 つのノル"
            "ムを比べています。このノルムはバッチサイズに左右されます"
        ),
        "parts": (
            "勾配 {shape} の {op} が軸 {dim} だけにわたっています。ペナルティは {result} の要素ごとではなく、サンプル"
            "ごとに計算します"
        ),
        "why_parts": (
            "ネットワークの出力は 1 サンプルにつき 1 つのスコアなので、ペナルティではサンプル全体の勾配ノルムを一定の値"
            "と比べます。"
            "ここでは {result} の要素ごとのノルムを比べています"
        ),
        "error": "誤差 {shape} の {op} が各サンプルの値ではなく {samples} サンプルの軸 {dim} にわたっています",
        "why_error": "ノルムがサンプルごとではなく、バッチの全サンプルにわたって列ごとに計算されています",
    },
}
