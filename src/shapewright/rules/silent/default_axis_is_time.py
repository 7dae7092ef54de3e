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
    """The call names the axis, as a module's constructor does, or the features are not what a layer made last. The
    source tells: torch hands its default on as if it had been named."""
    call = Source(seen.trace).node_at(seen.event.site, (ast.Call,))
    if call is None or len(call.args) > 2 or any(isinstance(value, ast.Starred) for value in call.args):
        return True
    named = seen.event.modules and seen.trace.modules[seen.event.modules[-1]].is_torch
    if named or any(given.arg in ("dim", None) for given in call.keywords):
        return True
    return seen.fact.rank != 3 or seen.counted(2) != "features" or not seen.fact.requires_grad


_LINE = {"never": "steps unmade", "but": "features", "unless": (_asked,)}
check = declared(AxisUse(("normalize",), "normalized", **_LINE), AxisUse(("cosine_similarity",), "compared", **_LINE))

MESSAGES = {
    "en": {
        "message": "{op} of {name} {shape} without dim runs over its {size} steps, not over its {meant} features",
        "why": (
            "the default is axis 1, which suits (batch, features); here the last axis holds a layer's "
            "outputs, and axis 1 the steps"
        ),
    },
    "es": {
        "message": "{op} de {name} {shape} sin dim recorre sus {size} pasos, no sus {meant} características",
        "why": (
            "por defecto se toma el eje 1, que sirve para (lote, características); aquí el último eje contiene las "
            "salidas de una capa, y el eje 1 los pasos"
        ),
    },
    "ja": {
        "message": (
            "{name} {shape} に対する dim なしの {op} が、{meant} 個の特徴ではなく {size} "
            "ステップに沿って計算されています"
        ),
        "why": ("既定は軸 1 で、(バッチ, 特徴) のためのものです。ここでは最後の軸が層の出力で、軸 1 がステップです"),
    },
}
