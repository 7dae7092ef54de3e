"""Gradients of a model on several processes are not averaged over them.

## What it finds
Parameters in a script with DistributedDataParallel that an optimizer updates but whose gradients no wrapper averages:
the model inside the wrapper is called instead of the wrapper, or the parameters belong to no wrapped model. Parameters
that one rank sends to all ranks at the beginning and that each rank then updates alone. Gradients that `all_reduce`
sums over the ranks and that SGD uses undivided, although the loss of each rank is a mean.

## Why it hurts
The wrapper averages the gradients of calls that go through it. Other gradients stay on their rank: every rank trains
its own copy on its part of the data, and the copies can drift apart. A sum of means is too large by a factor of the
number of ranks, and SGD does not rescale it.

## Example
    loss = criterion(model.module(x), y)

## Instead
    loss = criterion(model(x), y)

## Fix safety
Where the model inside a wrapper is called, the edit calls the wrapper. Whether to wrap a model is the author's choice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from ...trace import Trace
from ...trace.ranks import Ranks
from ..facts import Facts
from ..loop_remedy import CallOwner

code = "SW246"
of_any_rank = True
POINTWISE = frozenset({"send", "recv", "isend", "irecv"})
REDUCING = frozenset({"all_reduce", "reduce_scatter", "reduce_scatter_tensor", "all_gather", "reduce"})


def check(trace: Trace) -> Iterator[Facts]:
    """The calls that give stepped parameters gradients beside every wrapper."""
    ranks = trace.data.ranks
    for site in ranks.summed if ranks is not None else ():
        yield Facts(site, message="summed", why="why_summed", cause="ranks")
    if ranks is None or not ranks.grouped:
        return
    if not ranks.averaging:
        yield from _alone(trace, ranks)
        return
    used = {uid for step in trace.steps if step.kind == "step" for uid in step.data.get("used", ())}
    lost = {uid: trace.parameters[uid] for uid in used - ranks.averaged if uid in trace.parameters}
    sizes = {math.prod(call.shape) for call in ranks.calls if call.op in REDUCING}
    lost = {uid: parameter for uid, parameter in lost.items() if math.prod(parameter.shape) not in sizes}
    for step in trace.steps:
        if step.kind != "forward" or not step.data["grad"] or step.site is None:
            continue
        past = [uid for uid, parameter in lost.items() if step.data["module"] in parameter.models]
        if past:
            fields = {"count": len(past), "name": lost[past[0]].name}
            for uid in past:
                del lost[uid]
            yield Facts(step.site, fields=fields, cause="ranks", remedy=CallOwner())


def _alone(trace: Trace, ranks: Ranks) -> Iterator[Facts]:
    """The first step with parameters that were sent to all ranks once, where the ranks exchange nothing but numbers
    after that."""
    steps = [step for step in trace.steps if step.kind == "step"]
    used = {uid for step in steps for uid in step.data.get("used", ())}
    shapes = Counter(tuple(trace.parameters[uid].shape) for uid in used if uid in trace.parameters)
    sent = Counter(call.shape for call in ranks.calls if call.op == "broadcast")
    others = (call for call in ranks.calls if call.op != "broadcast" and math.prod(call.shape) > 1)
    if not shapes or ranks.wrapped or ranks.divided or any(others) or any(sent[one] != shapes[one] for one in shapes):
        return
    if any(call.op in POINTWISE for call in ranks.calls) or len(used) != shapes.total():
        return
    name = next(trace.parameters[uid].name for uid in sorted(used))
    if (site := steps[0].site) is not None:
        yield Facts(site, fields={"count": len(used), "name": name}, why="why_alone", cause="ranks")


MESSAGES = {
    "en": {
        "message": "gradients are never averaged over the ranks (parameters: {count}, the first is {name})",
        "why": (
            "DistributedDataParallel averages gradients only for calls that go through the wrapper. This call bypasses "
            "the wrapper, so each rank trains its own copy, and the copies can drift apart"
        ),
        "why_alone": (
            "all ranks start with the parameters of one rank, but then each rank steps only with the gradients of its "
            "own samples, so the copies can drift apart; call `all_reduce` on each gradient and divide by "
            "`dist.get_world_size()`"
        ),
        "summed": "gradients are summed over the ranks and never divided by the number of ranks",
        "why_summed": (
            "each rank's loss is a mean over its own samples, so the summed gradient is too large by a factor of the "
            "number of ranks. SGD does not rescale gradients; divide by `dist.get_world_size()`"
        ),
    },
    "es": {
        "message": "hay gradientes que nunca se promedian entre los rangos (parámetros: {count}; el primero es {name})",
        "why": (
            "DistributedDataParallel solo promedia los gradientes de las llamadas que pasan por él. Esta llamada no "
            "pasa por él, así que cada rango entrena su propia copia, y las copias pueden divergir"
        ),
        "why_alone": (
            "todos los rangos empiezan con los parámetros de uno de ellos, pero después cada rango actualiza sus "
            "parámetros solo con los gradientes de sus propias muestras, así que las copias pueden divergir. Hay que "
            "llamar a `all_reduce` con cada gradiente y dividir el resultado entre `dist.get_world_size()`"
        ),
        "summed": "los gradientes se suman entre los rangos y nunca se dividen entre el número de rangos",
        "why_summed": (
            "la pérdida de cada rango es una media sobre sus propias muestras, así que el gradiente sumado es tantas "
            "veces mayor como rangos hay. SGD no reescala los gradientes; hay que dividirlos entre "
            "`dist.get_world_size()`"
        ),
    },
    "ja": {
        "message": "勾配がランク間で平均されません (パラメータ {count} 個、最初は {name})",
        "why": (
            "DistributedDataParallel が勾配を平均するのは、それを通した呼び出しだけです。この呼び出しはそれを通らないた"
            "め、ランクごとに別々のコピーが学習され、コピーどうしがずれていくことがあります"
        ),
        "why_alone": (
            "最初に 1 つのランクのパラメータが全ランクに配られますが、その後は各ランクが自分のサンプルの勾配だけで更新"
            "するため、コピーどうしがずれていくことがあります。各勾配に `all_reduce` を行い、`dist.get_world_size()` "
            "で割ってください"
        ),
        "summed": "勾配がランク間で合計されたままで、ランク数で割られていません",
        "why_summed": (
            "各ランクの損失はそのランクのサンプルの平均なので、合計した勾配はランク数倍になり、大きすぎます。SGD は勾配"
            "の大きさを調整しません。`dist.get_world_size()` で割ってください"
        ),
    },
}
