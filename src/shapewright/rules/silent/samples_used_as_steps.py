"""An operation intended for the steps of a sequence runs along the samples of the batch.

## What it finds
`flip`, `roll`, `sort`, a Fourier transform or the like along the batch inside a model, proven by running the model
again without some samples; and `x[1:]` combined with `x[:-1]`, or `diff`, on axis 0 of a batch whose time axis comes
after the sample axis.

## Why it hurts
Each step is then combined with the same step of another sample instead of a neighboring step. Nothing raises.

## Example
    inputs, targets = batch[:-1], batch[1:]    # (batch, time)

## Instead
    inputs, targets = batch[:, :-1], batch[:, 1:]

## Fix safety
Safe where axis 1 is time. Where the labels are cut in the same way, neighboring samples seem to be compared on purpose,
and nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import argument, consumers, one_per_place, shown
from ...graph.probed import RECURRENT, along, evidence, line_of, mixed, numbers
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import RunAlongSteps

code = "SW267"
aliases = ("samples-taken-for-steps",)
AFTER, BEFORE = (1, None), (None, -1)


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every operator along the samples, and every pair of cuts that shifts them against each other."""
    for answer in mixed(trace, "stepping"):
        axis, shape = along(answer.data)
        yield Facts(
            answer.site,
            message="probed",
            why=evidence(answer),
            fields={
                "source": line_of(trace, answer.site),
                "op": answer.data.op,
                "axis": axis,
                "shape": shown(shape),
                **numbers(answer),
            },
            remedy=RunAlongSteps(),
        )
    yield from _turned(trace)
    yield from _shifted(trace)


def _turned(trace: Trace) -> Iterator[Facts]:
    """A batch turned round and handed to a recurrent net at once: its samples come in the opposite order, its steps as
    before."""
    for event in (event for event in trace.events if event.site is not None and event.op == "flip"):
        fact = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
        axes = event.args[1] if len(event.args) == 2 else event.args[1:] or event.kwargs.get("dims")
        if (
            fact is None
            or fact.rank != 3
            or not fact.axes
            or axes not in (0, (0,), ((0,),))
            or fact.axes[0].role != "batch"
        ):
            continue
        if any(
            user.op in RECURRENT and user.args[0] is not None and getattr(user.args[0], "producer", -1) == event.index
            for user in consumers(trace, event.index)
        ):
            yield Facts(
                event.site,
                message="turned",
                why="unturned",
                fields={
                    "source": line_of(trace, event.site),
                    "batch": fact.shape[0],
                    "steps": fact.shape[1],
                    "shape": shown(fact.shape),
                },
                event=event.index,
                remedy=RunAlongSteps(),
            )


def _shifted(trace: Trace) -> Iterator[Facts]:
    """`x[1:]` beside `x[:-1]` of one batch, and `diff` along it."""
    cuts: dict[int, dict[tuple, Event]] = {}
    labels = set()
    for event in (event for event in trace.events if event.site is not None and event.op in CUTS):
        fact = event.args[0] if event.args and isinstance(event.args[0], TensorFact) else None
        if fact is None or not fact.axes or fact.axes[0].role != "batch" or fact.shape[0] < 3:
            continue
        cut = CUTS[event.op](event, fact)
        if cut not in (AFTER, BEFORE, "diff"):
            continue
        if fact.rank == 1 or fact.shape[1:] == (1,):
            labels.add(fact.axes[0].uids)
        elif _has_steps(trace, fact):
            cuts.setdefault(fact.uid, {})[cut] = event
    for found in cuts.values():
        event = found.get("diff") or (found[AFTER] if len(found) == 2 else None)
        fact = event.args[0] if event is not None else None
        if event is None or fact.axes[0].uids in labels:
            continue
        first = min(found.values(), key=lambda one: (one.site.line, one.site.column))
        yield Facts(
            first.site,
            message="diff" if first.op == "diff" else "message",
            why="shifted",
            fields={
                "name": fact.name or "input",
                "shape": shown(fact.shape),
                "batch": fact.shape[0],
                "steps": fact.shape[1],
            },
            origins=tuple(
                origin for origin in (fact.axes[0].origin,) if origin is not None and origin.site is not None
            ),
            event=first.index,
            remedy=RunAlongSteps(tuple(one.site for one in found.values()) if first.op == "getitem" else ()),
        )


def _cut(event: Event, fact: TensorFact) -> tuple | None:
    index = event.args[1] if len(event.args) > 1 else None
    if isinstance(index, tuple) and len(index) == 1:
        index = index[0]
    return (
        index.value[:2]
        if isinstance(index, TensorFact) and index.kind == "slice" and index.value[2] in (None, 1)
        else None
    )


def _diffed(event: Event, fact: TensorFact) -> str | None:
    dim = argument(event, 2, "dim", -1)
    return "diff" if isinstance(dim, int) and dim % fact.rank == 0 else None


CUTS = {"getitem": _cut, "diff": _diffed}


def _has_steps(trace: Trace, fact: TensorFact) -> bool:
    """Whether an axis of time follows the samples: tokens, or numbers whose second axis no layer made, of samples that
    come in no order."""
    second = fact.axes[1]
    if fact.shape[1] < 2 or second.is_feature or fact.rank > 4 or (fact.rank == 4 and fact.shape[1] in (1, 3)):
        return False
    if not fact.dtype.startswith(("float", "bfloat", "half", "double")):
        return fact.rank == 2 and fact.dtype == "int64"
    made = second.origin is not None and second.origin.kind == "constructor"
    unordered = set(trace.data.unordered)
    return fact.rank >= 3 and not made and any(uid in unordered for uid, _ in fact.axes[0].uids)


MESSAGES = {
    "en": {
        "message": (
            "{name} {shape} is combined with a shifted copy of itself along its {batch} samples, not along its "
            "{steps} steps"
        ),
        "diff": (
            "differences of neighboring entries of {name} {shape} are taken along its {batch} samples, not along its "
            "{steps} steps"
        ),
        "probed": "`{source}` runs along the {batch} samples: axis {axis} of {shape} is the batch",
        "turned": "`{source}` reverses the {batch} samples of {shape}, not its {steps} steps",
        "unturned": (
            "the recurrent network that reads the result therefore gets the steps of each sample in their original "
            "order"
        ),
        "shifted": (
            "axis 0 is the batch, so each row is combined with the row of another sample. To combine the steps of a "
            "sample with each other, use axis 1"
        ),
        "why": (
            "the outputs for a sample then depend on the other samples in the batch: replacing sample 0 changed the "
            "outputs of other samples ({changed} of {of}, by up to {largest})"
        ),
        "alone": (
            "the outputs for a sample then depend on the other samples in the batch: when some samples are removed, "
            "the outputs of the others change"
        ),
    },
    "es": {
        "message": (
            "{name} {shape} se combina con una copia desplazada de sí mismo a lo largo de sus {batch} muestras, no de "
            "sus {steps} pasos"
        ),
        "diff": (
            "las diferencias entre elementos consecutivos de {name} {shape} se calculan a lo largo de sus {batch} "
            "muestras, no de sus {steps} pasos"
        ),
        "probed": "`{source}` se calcula a lo largo de las {batch} muestras: el eje {axis} de {shape} es el lote",
        "turned": "`{source}` invierte el orden de las {batch} muestras de {shape}, no el de sus {steps} pasos",
        "unturned": (
            "la red recurrente que lee el resultado recibe por eso los pasos de cada muestra en su orden original"
        ),
        "shifted": (
            "el eje 0 es el lote, así que cada fila se combina con la fila de otra muestra. Para combinar entre sí los "
            "pasos de una muestra, usa el eje 1"
        ),
        "why": (
            "por eso las salidas de una muestra dependen de las demás del lote: al sustituir la muestra 0 cambiaron "
            "las salidas de otras muestras ({changed} de {of}, diferencia máxima: {largest})"
        ),
        "alone": (
            "por eso las salidas de una muestra dependen de las demás del lote: al quitar algunas muestras cambian las "
            "salidas de las demás"
        ),
    },
    "ja": {
        "message": (
            "{name} {shape} が、{steps} ステップの軸ではなく {batch} サンプルの軸に沿ってずらした自分自身と組み合わされ"
            "ています"
        ),
        "diff": (
            "{name} {shape} の隣どうしの差が、{steps} ステップの軸ではなく {batch} サンプルの軸に沿って計算されています"
        ),
        "probed": "`{source}` が {batch} 個のサンプルに沿って計算されています。{shape} の軸 {axis} はバッチです",
        "turned": "`{source}` は、{shape} の {steps} ステップではなく {batch} サンプルの順を逆にしています",
        "unturned": "そのため、結果を読む再帰ネットワークには、どのサンプルのステップも元の順のまま渡ります",
        "shifted": (
            "軸 0 はバッチなので、各行が別のサンプルの行と組になります。同じサンプルのステップどうしを組にするには、軸 "
            "1 を使います"
        ),
        "why": (
            "そのため、出力がバッチ内のほかのサンプルに左右されます。サンプル 0 を別のものに替えると、ほかの {of} 件中 "
            "{changed} 件の出力が変わりました (差は最大 {largest})"
        ),
        "alone": (
            "そのため、出力がバッチ内のほかのサンプルに左右されます。一部のサンプルを除くと、残りの出力が変わります"
        ),
    },
}
