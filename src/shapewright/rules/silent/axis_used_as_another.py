"""A layer treats the steps of a sequence as channels, or its features as steps.

## What it finds
Layers and functions that treat one axis as channels, positions or features, given a sequence whose axes are in another
order: batch norm and channel-wise dropout on `(batch, steps, features)`, pooling over its last axis, layer norm over
the steps of `(batch, features, steps)`, a running sum over the samples. Recurrent nets, attention and embedded tokens
tell which axis holds the steps.

Also a softmax over steps or positions whose result is read as classes along the axis that a layer made.

## Why it hurts
It runs whenever the sizes fit. Batch norm keeps statistics per step and mixes all features; channel-wise dropout
removes whole steps; a pool mixes neighboring features, whose order means nothing.

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
from ...graph.flow import RESHAPING, forward, operands
from ..axis_use import AxisUse, Seen, declared, set_dim

code = "SW271"


def _both(seen: Seen) -> bool:
    """The features are normalized as well."""
    return all(
        ops.use_of(seen.event, seen.fact, d) == "normalized" for d in seen.others if seen.counted(d) == "features"
    )


def _unread(seen: Seen) -> bool:
    """Nothing reads the result's classes from the features' axis: no loss, and no index that picks one of them."""
    made = {seen.fact.axes[d].uids for d in seen.others if seen.counted(d) == "features"}
    for user in forward(seen.trace, seen.event, RESHAPING, 4):
        if ops.is_a(user.op, "targets"):
            facts = [fact for fact in operands(user) if len(fact.axes) == fact.rank]
            if any(ops.use_of(user, f, d) == "classes" and a.uids in made for f in facts for d, a in enumerate(f.axes)):
                return False
        elif user.op == "getitem" and getattr(user.args[0], "producer", -1) == seen.event.index:
            index = user.args[1] if isinstance(user.args[1], tuple) else (user.args[1],)
            if any(
                type(part) is int and d < seen.fact.rank and seen.fact.axes[d].uids in made
                for d, part in enumerate(index)
            ):
                return False
    return True


check = declared(
    AxisUse(
        ("softmaxes",),
        "normalized",
        "steps unmade places",
        but="features",
        unless=(_unread,),
        message="shared",
        why="classes",
        remedy=set_dim,
    ),
    AxisUse(("norms",), "channels", "steps", but="features", severity="warning", remedy=None),
    AxisUse(("drops_channels",), "channels", "steps", but="features", message="dropped", why="whole", remedy=None),
    AxisUse(("drops_channels",), "channels", "samples", but="features", message="lost", why="whole", remedy=None),
    AxisUse(("pools",), "space", "features", but="steps", message="pooled", why="unordered", remedy=None),
    AxisUse(
        ("norms_last",),
        "normalized",
        "steps",
        but="features",
        unless=(_both,),
        message="last",
        why="alone",
        remedy=None,
    ),
    AxisUse(
        ("norms_last",),
        "normalized",
        "samples",
        but="features",
        unless=(_both,),
        message="mixed",
        why="alone",
        remedy=None,
    ),
    AxisUse(("cumsum", "cumprod"), "accumulated", "samples", but="steps", message="summed", why="unrelated"),
)

MESSAGES = {
    "en": {
        "message": (
            "{op} treats the {size} steps of {shape} as channels: axis {dim} holds the steps and axis {want} the "
            "features"
        ),
        "dropped": (
            "{op} sets whole steps of {shape} to zero: it treats axis {dim} as channels, but that axis holds the "
            "{size} steps"
        ),
        "lost": (
            "{op} sets whole samples of {shape} to zero: it treats axis {dim} as channels, but that axis holds the "
            "{size} samples"
        ),
        "pooled": "{op} on {shape} pools over the {size} features of axis {dim}; the steps are on axis {want}",
        "last": "{op} normalizes {shape} over the {size} steps of axis {dim}; the features are on axis {want}",
        "mixed": "{op} normalizes {shape} over the {size} samples of axis {dim}; the features are on axis {want}",
        "shared": "{op} runs over axis {dim} of {shape}, but the classes are on axis {want}",
        "summed": "{op} over axis {dim} of {shape} accumulates over the {size} samples; the steps are on axis {want}",
        "unrelated": "each of the {size} samples gets a value accumulated from the samples before it in the batch",
        "classes": (
            "the softmax normalizes the {size} values of axis {dim}, but the {meant} values of axis {want} are then "
            "read as the classes"
        ),
        "why": (
            "each step is then treated as one channel: the {meant} features that {maker} makes for it are normalized "
            "together"
        ),
        "whole": (
            "dropout acts on each of the {size} entries of axis {dim} as a whole: all its {meant} features are kept or "
            "set to zero together, instead of each feature independently"
        ),
        "unordered": "axis {dim} is made by {maker}: its {size} values are features, not steps",
        "alone": "each feature is normalized separately, over the {size} entries of axis {dim}",
    },
    "es": {
        "message": (
            "{op} trata como canales los {size} pasos de {shape}: el eje {dim} contiene los pasos y el eje {want} las "
            "características"
        ),
        "dropped": (
            "{op} anula pasos enteros de {shape}: trata el eje {dim} como canales, pero ese eje contiene los {size} "
            "pasos"
        ),
        "lost": (
            "{op} anula muestras enteras de {shape}: trata el eje {dim} como canales, pero ese eje contiene las {size} "
            "muestras"
        ),
        "pooled": (
            "{op} hace pooling en {shape} sobre las {size} características del eje {dim}; los pasos están en el eje "
            "{want}"
        ),
        "last": (
            "{op} normaliza {shape} sobre los {size} pasos del eje {dim}; las características están en el eje {want}"
        ),
        "mixed": (
            "{op} normaliza {shape} sobre las {size} muestras del eje {dim}; las características están en el eje {want}"
        ),
        "summed": (
            "{op} sobre el eje {dim} de {shape} acumula sobre las {size} muestras; los pasos están en el eje {want}"
        ),
        "unrelated": (
            "cada una de las {size} muestras recibe un valor acumulado a partir de las muestras anteriores del lote"
        ),
        "shared": "{op} se aplica sobre el eje {dim} de {shape}, pero las clases están en el eje {want}",
        "classes": (
            "el softmax normaliza los {size} valores del eje {dim}, pero después se leen como clases los {meant} "
            "valores del eje {want}"
        ),
        "why": (
            "cada paso se trata así como un canal: las {meant} características que {maker} produce para él se "
            "normalizan juntas"
        ),
        "whole": (
            "el dropout actúa sobre cada una de las {size} posiciones del eje {dim} como un todo: sus {meant} "
            "características se conservan o se anulan juntas, en lugar de cada una por separado"
        ),
        "unordered": "el eje {dim} lo crea {maker}: sus {size} valores son características, no pasos",
        "alone": "cada característica se normaliza por separado, sobre las {size} posiciones del eje {dim}",
    },
    "ja": {
        "message": (
            "{op} が {shape} の {size} ステップをチャネルと見なしています (軸 {dim} がステップ、軸 {want} が特徴)"
        ),
        "dropped": (
            "{op} が {shape} のステップを丸ごとゼロにします。軸 {dim} がチャネルと見なされていますが、この軸は {size} "
            "ステップの軸です"
        ),
        "lost": (
            "{op} が {shape} のサンプルを丸ごとゼロにします。軸 {dim} がチャネルと見なされていますが、この軸は {size} "
            "サンプルの軸です"
        ),
        "pooled": (
            "{op} が {shape} の軸 {dim} にある {size} 個の特徴をプーリングしています。ステップは軸 {want} にあります"
        ),
        "last": "{op} が {shape} を軸 {dim} の {size} ステップにわたって正規化しています。特徴は軸 {want} にあります",
        "mixed": "{op} が {shape} を軸 {dim} の {size} サンプルにわたって正規化しています。特徴は軸 {want} にあります",
        "shared": "{op} は {shape} の軸 {dim} に沿って計算されますが、クラスは軸 {want} にあります",
        "summed": (
            "{shape} に対する {op} が、軸 {dim} の {size} サンプルを累積しています。ステップは軸 {want} にあります"
        ),
        "unrelated": "{size} サンプルのどの値にも、バッチ内で前にあるサンプルの値が累積されます",
        "classes": (
            "softmax は軸 {dim} の {size} 個の値を正規化しますが、その後クラスとして読まれるのは軸 {want} の {meant} "
            "個の値です"
        ),
        "why": (
            "そのため各ステップが 1 つのチャネルとして扱われ、{maker} が作る {meant} 個の特徴がまとめて正規化されます"
        ),
        "whole": (
            "ドロップアウトが特徴ごとではなく軸 {dim} の {size} 個の要素ごとに掛かり、各要素で {meant} 個の特徴がまと"
            "めて残されるか、まとめてゼロにされます"
        ),
        "unordered": "軸 {dim} は {maker} が作った軸で、その {size} 個の値はステップではなく特徴です",
        "alone": "特徴ごとに、軸 {dim} の {size} 個の要素にわたって正規化されます",
    },
}
