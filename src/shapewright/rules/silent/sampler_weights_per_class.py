"""A weighted sampler is given fewer weights than there are samples, for example one per class.

## What it finds
A `WeightedRandomSampler` whose number of weights is smaller than the data set of the loader that uses it.

## Why it hurts
Weight i is the weight of sample i. With five weights only the first five samples are ever drawn, over and over.

## Example
    weights = 1.0 / torch.bincount(labels)
    sampler = WeightedRandomSampler(weights, len(labels))

## Instead
    sampler = WeightedRandomSampler(weights[labels], len(labels))

## Fix safety
Safe where there is one weight per class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.calls import calls
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW237"
COUNTS = frozenset({"bincount", "Counter", "unique"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every loader whose sampler leaves samples out."""
    for loader in trace.data.loaders:
        if not 0 < loader["weights"] < loader["length"] or not loader["sites"]:
            continue
        at = loader["sites"][-1]
        made = [(node, site) for name, node, site in calls(trace) if name.split(".")[-1] == "WeightedRandomSampler"]
        site = made[0][1] if len(made) == 1 else at
        given = made[0][0].args[0] if len(made) == 1 and made[0][0].args else None
        yield Facts(
            site,
            fields={
                "weights": loader["weights"],
                "length": loader["length"],
                "name": ast.unparse(given) if given is not None else "weights",
            },
            origins=place(trace, at) if site != at else (),
            remedy=_by_sample(trace),
        )


def _by_sample(trace: Trace) -> Rewrite | None:
    """The weight of each sample's class, where the script counts the classes of something."""
    for name, node, _ in calls(trace):
        counted = node.args[0] if name.split(".")[-1] in COUNTS and node.args else None
        if isinstance(counted, (ast.Name, ast.Attribute)):
            return Rewrite(f"{{}}[{ast.unparse(counted)}]", argument=(0, "weights"))
    return None


MESSAGES = {
    "en": {
        "message": (
            "the sampler has {weights} weights for {length} samples, so it only ever draws the first {weights} samples"
        ),
        "why": (
            "weight i is the weight of sample i (counted from 0). {name} seems to have one weight per class, so the "
            "samples from index {weights} on have no weight"
        ),
    },
    "es": {
        "message": (
            "el sampler tiene {weights} pesos para {length} muestras, así que solo extrae las {weights} primeras"
        ),
        "why": (
            "el peso i es el de la muestra i (contando desde 0). {name} parece tener un peso por clase, así que las "
            "muestras a partir del índice {weights} no tienen peso"
        ),
    },
    "ja": {
        "message": (
            "サンプラーの重みが {length} サンプルに対して {weights} 個しかないため、最初の {weights} サンプルしか選ばれ"
            "ません"
        ),
        "why": (
            "重み i はサンプル i のものです (0 始まり)。{name} はクラスごとの重みのようで、添字 {weights} "
            "以降のサンプルには重みがありません"
        ),
    },
}
