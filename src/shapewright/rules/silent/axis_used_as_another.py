"""A layer takes the steps of a sequence for channels, or its features for places.

## What it finds
Layers and functions that treat one axis as channels, places or features, given a sequence whose axes are in another
order: batch norm and channel-wise dropout on `(batch, steps, features)`, pooling over its last axis, layer norm over
the steps of `(batch, features, steps)`. Recurrent nets, attention and embedded tokens tell which axis counts steps.

## Why it hurts
It runs whenever the sizes fit. Statistics are kept per step and mix all features; dropout removes whole steps; a pool
mixes neighboring features, which are in no order.

## Example
    self.norm = nn.BatchNorm1d(20)        # 20 steps
    h = self.norm(self.rnn(x)[0])         # (batch, 20, features)

## Instead
    self.norm = nn.BatchNorm1d(features)
    h = self.norm(self.rnn(x)[0].transpose(1, 2)).transpose(1, 2)

## Fix safety
None is offered: the layer's own size changes with the axis.
"""

from __future__ import annotations

from ... import ops
from ..axis_use import AxisUse, Seen, declared

code = "SW271"
slug = "axis-used-as-another"
order = 21


def _both(seen: Seen) -> bool:
    """The features are normalized as well."""
    return all(
        ops.use_of(seen.event, seen.fact, d) == "normalized" for d in seen.others if seen.counted(d) == "features"
    )


check = declared(
    AxisUse(("norms",), "channels", "steps", but="features", severity="warning", remedy=None),
    AxisUse(("drops_channels",), "channels", "steps", but="features", message="dropped", why="whole", remedy=None),
    AxisUse(("drops_channels",), "channels", "samples", but="features", message="lost", why="whole", remedy=None),
    AxisUse(("pools",), "space", "features", but="steps", message="pooled", why="unordered", remedy=None),
    AxisUse(("norms_last",), "normalized", "steps", but="features", unless=(_both,), message="last", remedy=None),
    AxisUse(("norms_last",), "normalized", "samples", but="features", unless=(_both,), message="mixed", remedy=None),
)

MESSAGES = {
    "en": {
        "message": "{op} takes the {size} steps of {shape} for channels: axis {dim} is steps, axis {want} is features",
        "dropped": "{op} drops whole steps of {shape}: its channel axis is axis {dim}, which counts the {size} steps",
        "lost": "{op} drops whole samples of {shape}: its channel axis is axis {dim}, which counts the {size} samples",
        "pooled": "{op} on {shape} pools over the {size} features of axis {dim}; the steps are axis {want}",
        "last": "{op} normalizes {shape} over the {size} steps of axis {dim}; the features are axis {want}",
        "mixed": "{op} normalizes {shape} over the {size} samples of axis {dim}; the features are axis {want}",
        "why": "statistics and scale then belong to places in the sequence and mix the {meant} features of {maker}",
        "whole": "each of the {size} is set to zero with all its {meant} features, instead of single channels",
        "unordered": "the last axis is made by {maker}: its {size} values are features in no order",
    },
    "es": {
        "message": (
            "{op} toma por canales los {size} pasos de {shape}: el eje {dim} son pasos, el eje {want} características"
        ),
        "dropped": ("{op} anula pasos enteros de {shape}: su eje de canales es el {dim}, que cuenta los {size} pasos"),
        "lost": (
            "{op} anula muestras enteras de {shape}: su eje de canales es el {dim}, que cuenta las {size} muestras"
        ),
        "pooled": "{op} sobre {shape} agrupa las {size} características del eje {dim}; los pasos son el eje {want}",
        "last": "{op} normaliza {shape} sobre los {size} pasos del eje {dim}; las características son el eje {want}",
        "mixed": (
            "{op} normaliza {shape} sobre las {size} muestras del eje {dim}; las características son el eje {want}"
        ),
        "why": (
            "las estadísticas y la escala pertenecen entonces a posiciones de la secuencia y mezclan las {meant} "
            "características de {maker}"
        ),
        "whole": "cada uno de los {size} se pone a cero con sus {meant} características, y no canales sueltos",
        "unordered": "el último eje lo crea {maker}: sus {size} valores son características sin orden",
    },
    "ja": {
        "message": (
            "{op} が {shape} の {size} ステップをチャネルと見なしています (軸 {dim} がステップ、軸 {want} が特徴)"
        ),
        "dropped": "{op} が {shape} のステップを丸ごと落とします。チャネル軸とされる軸 {dim} は {size} ステップです",
        "lost": "{op} が {shape} のサンプルを丸ごと落とします。チャネル軸とされる軸 {dim} は {size} サンプルです",
        "pooled": "{shape} に対する {op} が軸 {dim} の {size} 個の特徴をまとめています。ステップは軸 {want} です",
        "last": "{op} が {shape} を軸 {dim} の {size} ステップにわたって正規化しています。特徴は軸 {want} です",
        "mixed": "{op} が {shape} を軸 {dim} の {size} サンプルにわたって正規化しています。特徴は軸 {want} です",
        "why": "統計量とスケールが系列内の位置ごとになり、{maker} の {meant} 個の特徴が混ざります",
        "whole": "個々のチャネルではなく、{size} 個のそれぞれが {meant} 個の特徴ごとゼロになります",
        "unordered": "最後の軸は {maker} が作り、その {size} 個の値は順序のない特徴です",
    },
}
