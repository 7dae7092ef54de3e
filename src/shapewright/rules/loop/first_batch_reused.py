"""Every training step draws the first batch: an iterator is made anew at each step.

## What it finds
`next(iter(loader))` in a training loop, over a loader that does not shuffle.

## Why it hurts
`iter` begins from the start each time. The model is trained on one batch; the rest of the data is never seen.

## Example
    for step in range(1000):
        x, y = next(iter(loader))

## Instead
    batches = itertools.cycle(loader)
    for step in range(1000):
        x, y = next(batches)

## Fix safety
Safe: the loop makes as many steps as before. A loader that does not shuffle gives the same batches in every round.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.batches import ran, trains
from ...graph.calls import dotted, every
from ...graph.scopes import loop_around
from ...graph.source import Source
from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import KeepIterator

code = "SW339"
aliases = ("first-batch-again",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every such call in a loop that trains."""
    source = Source(trace)
    for node, site in every(trace, ast.Call):
        file = site.file
        if (
            dotted(node.func) != "next"
            or not node.args
            or not isinstance(node.args[0], ast.Call)
            or dotted(node.args[0].func) != "iter"
        ):
            continue
        loop = loop_around(node)
        if loop is None or not trains(loop) or not node.args[0].args or not ran(trace, file, loop):
            continue
        name = dotted(node.args[0].args[0])
        made = [
            other
            for other in source.nodes(file)
            if isinstance(other, ast.Assign) and any(dotted(target) == name for target in other.targets)
        ]
        loader = next(
            (
                known
                for known in trace.data.loaders
                if len(made) == 1 and known["sites"] and made[0].lineno <= known["sites"][-1].line <= made[0].end_lineno
            ),
            None,
        )
        if loader is not None and loader["sequential"] and 0 < loader["batch"] < loader["length"]:
            yield Facts(
                site,
                fields={"name": name, "batch": loader["batch"], "length": loader["length"]},
                origins=place(trace, loader["sites"][-1]),
                remedy=KeepIterator(source.site(node.args[0], file), name, source.site(loop, file)),
            )


MESSAGES = {
    "en": {
        "message": "every step of this loop trains on the first batch of {name}",
        "why": (
            "iter(…) is called again at each step, and the loader does not shuffle: only the first {batch} of {length} "
            "samples are used here"
        ),
    },
    "es": {
        "message": "cada paso de este bucle entrena con el primer lote de {name}",
        "why": (
            "iter(…) se llama de nuevo en cada paso y el DataLoader no baraja: aquí solo se usan las {batch} "
            "primeras de {length} muestras"
        ),
    },
    "ja": {
        "message": "このループはどのステップでも {name} の最初のバッチで学習しています",
        "why": (
            "iter(…) がステップごとに呼び直され、ローダーはシャッフルしません。ここでは {length} サンプルのうち最初の "
            "{batch} サンプルしか使われません"
        ),
    },
}
