"""A normalization or similarity takes its default axis, and that is time instead of the features.

## What it finds
`F.normalize(x)` and `F.cosine_similarity(a, b)` without `dim` of `(batch, time, features)`: the default is axis 1, made
for `(batch, features)`.

## Why it hurts
Each feature is scaled over all the steps of a sequence; steps are not compared with steps. Nothing raises, and the
values still lie between -1 and 1.

## Example
    tokens = F.normalize(proj(embed(ids)))          # (batch, time, features)

## Instead
    tokens = F.normalize(proj(embed(ids)), dim=-1)

## Fix safety
Safe where vectors of features are intended. Where axis 1 holds channels, as after a convolution, the default is right,
and nothing is said.
"""

from __future__ import annotations

import ast

from ...graph.source import Source
from ..axis_use import AxisUse, Seen, declared

code = "SW269"


def _asked(seen: Seen) -> bool:
    """The call names the axis, as a module's constructor does, or a norm of its own, such as shares that steps have as
    well, or the features are not what a layer made last. The source tells: torch hands its default on as if it had been
    named."""
    call = Source(seen.trace).node_at(seen.event.site, (ast.Call,))
    if call is None or len(call.args) > 2 or any(isinstance(value, ast.Starred) for value in call.args):
        return True
    named = seen.event.modules and seen.trace.modules[seen.event.modules[-1]].is_torch
    if named or any(given.arg in ("dim", "p", None) for given in call.keywords):
        return True
    return seen.fact.rank != 3 or seen.counted(2) != "features" or not seen.fact.requires_grad


_LINE = {"never": "steps unmade", "but": "features", "unless": (_asked,)}
check = declared(AxisUse(("normalize",), "normalized", **_LINE), AxisUse(("cosine_similarity",), "compared", **_LINE))

MESSAGES = {
    "en": {
        "message": "{op} of {name} {shape} without dim runs over the {size} steps, not over the {meant} features",
        "why": (
            "without dim, {op} uses axis 1, which suits (batch, features); here axis 1 holds the steps, and the last "
            "axis the outputs of a layer"
        ),
    },
    "es": {
        "message": "{op} de {name} {shape} sin dim se calcula a lo largo de los {size} pasos, no de las {meant} "
        "características",
        "why": (
            "sin dim, {op} usa el eje 1, que es el adecuado si la forma es (lote, características). Aquí el eje 1 "
            "contiene los pasos; el último, las salidas de una capa"
        ),
    },
    "ja": {
        "message": (
            "{name} {shape} に対する dim なしの {op} が、{meant} 個の特徴ではなく {size} "
            "ステップに沿って計算されています"
        ),
        "why": (
            "dim を省略すると、{op} は軸 1 を使います。これは (バッチ, 特徴) に合う既定値ですが、ここでは軸 1 がステッ"
            "プで、最後の軸が層の出力です"
        ),
    },
}
