"""DistributedDataParallel waits for gradients that no backward pass gives.

## What you see
When the model is called again: `RuntimeError: Expected to have finished reduction in the prior iteration before
starting a new one.`

## What it finds
Parameters of a model within DistributedDataParallel that a backward pass gives no gradient, before the model is called
again, where the wrapper was not told to look for such parameters.

## Why it hurts
The wrapper averages the gradients of all parameters that it was given, and is done when it has all of them. If some
never get one, PyTorch raises an error as soon as the model is called again.

## Example
    model = DistributedDataParallel(net)  # net.auxiliary is not used by forward

## Instead
    model = DistributedDataParallel(net, find_unused_parameters=True)

## Fix safety
Unsafe: the layer may be unused by mistake, and searching for unused parameters costs time at every step.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...trace import Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW356"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """The calls at which the wrapper still waits for a gradient."""
    ranks = trace.data.ranks
    for awaited in ranks.awaited if ranks is not None else ():
        wrapper = next((uid for uid, one in trace.modules.items() if one.kind == "DistributedDataParallel"), -1)
        asked = SetArgument("find_unused_parameters", "True", module=wrapper, guessed=True) if wrapper >= 0 else None
        fields = {"count": len(awaited.names), "name": awaited.names[0]}
        yield Facts(awaited.site, fields=fields, cause="ranks", remedy=asked)


MESSAGES = {
    "en": {
        "message": (
            "DistributedDataParallel waits for gradients that were never computed (parameters: {count}, the first is "
            "{name})"
        ),
        "why": (
            "the backward pass before this call gave some parameters no gradient, so DDP raises an error here "
            "(“Expected to have finished reduction in the prior iteration”). Let the loss depend on all parameters, or "
            "build the wrapper with `find_unused_parameters=True` (or `static_graph=True` if the same parameters are "
            "unused at every step)"
        ),
    },
    "es": {
        "message": (
            "DistributedDataParallel espera gradientes que no se calcularon (parámetros: {count}; el primero es {name})"
        ),
        "why": (
            "la retropropagación anterior a esta llamada no dio gradiente a algunos parámetros, así que DDP lanza aquí "
            "un error («Expected to have finished reduction in the prior iteration»). Haz que la pérdida dependa de "
            "todos los parámetros, o crea el envoltorio con `find_unused_parameters=True` (o `static_graph=True` si en "
            "cada paso quedan sin usar los mismos parámetros)"
        ),
    },
    "ja": {
        "message": (
            "DistributedDataParallel が、計算されなかった勾配を待っています (パラメータ {count} 個、最初は {name})"
        ),
        "why": (
            "この呼び出しの前の逆伝播で勾配が届かなかったパラメータがあるため、DDP はここでエラー (Expected to have "
            "finished reduction in the prior iteration) になります。損失がすべてのパラメータに依存するようにするか、"
            "`find_unused_parameters=True` (使われないパラメータが毎ステップ同じなら `static_graph=True` でも可) でラッ"
            "パーを作ります"
        ),
    },
}
