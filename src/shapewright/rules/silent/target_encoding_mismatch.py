"""The targets of a loss have values that it does not expect (0 and 1 instead of -1 and 1), or several classes are
merged.

## What it finds
`cosine_embedding_loss`, `margin_ranking_loss`, `hinge_embedding_loss` or `soft_margin_loss` with targets 0 and 1;
`binary_cross_entropy_with_logits` with targets such as -1 and 1, or 1 and 2, or pixels from 0 to 255.
Pictures and series that a sigmoid, a tanh, a softmax or a ReLU at the end of the model cannot output, such as pixels
from -1 to 1 behind a sigmoid; several classes a sample behind a softmax, whose outputs add up to 1.
Labels of which several become the same class on the way to the loss, by `clamp`, `bool`, a comparison or a division,
though the model has an output for each of them.

## Why it hurts
A target of 0 matches neither case: the pair or sample is not treated as -1 would be. With a target outside 0 to 1, a
binary cross-entropy of logits has no lower bound.

## Example
    same = (a_id == b_id).float()
    loss = nn.CosineEmbeddingLoss()(u, v, same)

## Instead
    loss = nn.CosineEmbeddingLoss()(u, v, 2 * same - 1)

## Fix safety
Safe where the greater number means yes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import SAME_VALUES, argument, maker, one_per_place, root
from ...graph.ledger import ledger
from ...graph.probed import constructor
from ...graph.training import handed_on, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW235"
aliases = ("targets-in-another-code",)
REACH = {
    "sigmoid": (0.0, 1.0),
    "hardsigmoid": (0.0, 1.0),
    "softmax": (0.0, 1.0),
    "tanh": (-1.0, 1.0),
    "softsign": (-1.0, 1.0),
    "relu": (0.0, math.inf),
    "softplus": (0.0, math.inf),
}
FAR = 0.25  # of what is within reach: labels that are softened, or noise, go beyond it on purpose
ERRORS = ops.named("measures_error")
SIGNS = {"cosine_embedding_loss": 2, "margin_ranking_loss": 2, "hinge_embedding_loss": 1, "soft_margin_loss": 1}
WANTED = {"signs": "-1 / 1", "bits": "0 / 1", "range": "0 … 1"}
SHARED = ops.named("competes") & ops.named("gives_probabilities")  # their results add up to 1
MORE = 1.5  # a sum that targets of one class do not have
SPREAD = 2.5  # between the least and the greatest target: no two codes of a class are so far apart


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss whose targets never have the numbers that it reads, and labels of which several became one."""
    yield from _merged(trace)
    yield from _out_of_reach(trace)
    yield from _more_than_shared(trace)
    seen: dict[tuple, set[float]] = {}
    first: dict[tuple, Event] = {}
    for index, op, values in trace.data.codes:
        asked = index < len(trace.events) and op != "ctc_loss" and op not in ERRORS
        event = trace.events[index] if asked else None
        if event is None or event.op != op or event.site is None:
            continue
        seen.setdefault((event.site, op), set()).update(values)
        first.setdefault((event.site, op), event)
    for (site, op), values in seen.items():
        kind = _wrong(op, values)
        target = argument(first[site, op], SIGNS.get(op, 1), "target")
        if kind and isinstance(target, TensorFact):
            yield Facts(
                site,
                why="bits" if kind == "range" else kind,
                fields={
                    "loss": op,
                    "name": target.name or "target",
                    "values": f"{min(values):g} … {max(values):g}"
                    if kind == "range"
                    else ", ".join(f"{value:g}" for value in sorted(values)),
                    "wanted": WANTED[kind],
                },
                origins=tuple(o for made in handed_on(trace, target) for o in place(trace, made)),
                event=first[site, op].index,
                remedy=None
                if kind == "range"
                else Rewrite(
                    "2 * {} - 1" if kind == "signs" else "({} + 1) / 2" if min(values) < 0 else "{} - 1",
                    argument=(SIGNS.get(op, 1), "target"),
                ),
            )


def _compared(trace: Trace, names: frozenset[str]) -> Iterator[tuple[str, Event, TensorFact, TensorFact, tuple]]:
    """What was seen under some `names` at losses that compare what learns with data: the name, the loss, both sides and
    the numbers. What was made up for the run, or computed by a model, is no such data."""
    if trace.data.made is not None or trace.data.invented is not None:
        return
    for index, name, values in trace.data.codes:
        event = trace.events[index] if name in names and index < len(trace.events) else None
        if event is None or event.site is None:
            continue
        given, target = (argument(event, at, ("input", "target")[at]) for at in (0, 1))
        if not isinstance(given, TensorFact) or not isinstance(target, TensorFact) or not given.requires_grad:
            continue
        if not ledger(trace).sources(target):
            yield name, event, given, target, values


def _beyond(trace: Trace, event: Event, made: Event, target: TensorFact, message: str, fields: dict) -> Facts:
    return Facts(
        event.site,
        message=message,
        why=f"why_{message}",
        fields=fields,
        origins=(
            *constructor(trace, trace.modules.get(made.modules[-1]) if made.modules else None),
            *place(trace, made.site),
            *(origin for one in handed_on(trace, target) for origin in place(trace, one)),
        ),
        severity="warning" if message == "reach" else "error",
        event=event.index,
    )


def _out_of_reach(trace: Trace) -> Iterator[Facts]:
    """The first regression on data of several axes a sample, many of which are far from all that the last operator of
    the model can give."""
    for op, event, given, target, (low, high) in _compared(trace, ERRORS):
        made = maker(trace, given, lambda one: one.op.rstrip("_") in SAME_VALUES)
        least, most = (
            REACH.get(made.op.rstrip("_"), (-math.inf, math.inf)) if made is not None else (-math.inf, math.inf)
        )
        slack = FAR * (most - least if most < math.inf else max(abs(low), abs(high)))
        data = root(trace, target, lambda one: one.op.rstrip("_") in SAME_VALUES)
        if made is None or (low >= least - slack and high <= most + slack) or event.op != op or data.rank < 3:
            continue
        reach = f"{least:g} … {most:g}" if most < math.inf else f"≥ {least:g}"
        fields = {"loss": op, "op": made.op, "low": f"{low:.3g}", "high": f"{high:.3g}", "values": reach}
        yield _beyond(trace, event, made, target, "reach", fields)
        return


def _more_than_shared(trace: Trace) -> Iterator[Facts]:
    """The first loss that compares each output of a softmax with a target of its own, which together ask for more than
    the outputs have."""
    for _, event, given, target, sums in _compared(trace, frozenset({"sums"})):
        made = maker(trace, given, lambda one: ops.is_a(one.op, "casts", "moves", "keeps_values"))
        call = ops.bound(made) if made is not None and made.op in SHARED else None
        dim = call.get("dim") if call is not None else None
        if made is None or not isinstance(dim, int) or target.shape != given.shape:
            continue
        axis = dim % given.rank
        if axis and sums[axis - 1] >= MORE:
            fields = {"loss": event.op, "op": made.op, "axis": axis, "sum": f"{sums[axis - 1]:.3g}"}
            yield _beyond(trace, event, made, target, "shared", fields)
            return


def _merged(trace: Trace) -> Iterator[Facts]:
    """At the line that computed the labels, as far as it is known."""
    found = trace.data.merged
    site = (found.made or found.where) if found is not None else None
    if found is None or site is None:
        return
    asked = (event for event in trace.events if event.site == found.where and ops.is_a(event.op, "classifies"))
    target = next((argument(event, 1, "target") for event in asked), None)
    made = handed_on(trace, target) if isinstance(target, TensorFact) else []
    origins = dict.fromkeys(one for one in (found.table.site, found.where, *made) if one not in (None, site))
    yield Facts(
        site,
        message="merged",
        why="why_merged",
        fields={
            "alike": ", ".join(map(str, found.alike)),
            "name": found.table.name,
            "label": found.label,
            "left": found.left,
            "classes": found.classes,
        },
        origins=tuple(origin for one in origins for origin in place(trace, one)),
        severity="warning",
    )


def _wrong(op: str, values: set[float]) -> str:
    """What is wanted instead: `signs`, `bits`, the `range` of both, or nothing where the numbers are right."""
    if op in SIGNS:
        return "signs" if 0.0 in values and -1.0 not in values and values <= {0.0, 1.0} else ""
    if max(values) - min(values) > SPREAD:
        return "range"
    whole = all(value == int(value) for value in values)
    return "bits" if whole and len(values) == 2 and (values == {-1.0, 1.0} or values == {1.0, 2.0}) else ""


MESSAGES = {
    "en": {
        "message": "{loss} is given the targets {values}, but expects {wanted}",
        "merged": "the labels {alike} of {name} all become class {label} before they reach the loss",
        "why_merged": (
            "the model has {classes} outputs, but the targets have only {left} different classes, so the model cannot "
            "learn to tell the merged labels apart"
        ),
        "reach": (
            "most targets of {loss} are between {low} and {high}, but {op} only outputs values in the range {values}"
        ),
        "why_reach": (
            "the outputs can never reach targets outside the range {values}; for such targets, the gradients push the "
            "activation into saturation"
        ),
        "shared": (
            "the targets of one sample add up to {sum} along axis {axis}, but the outputs of {op} always add up to 1"
        ),
        "why_shared": (
            "{loss} compares each output with its own target. {op} makes the outputs along axis {axis} share a total "
            "of 1, so no sample can have two outputs near 1; use sigmoid where a sample may have several classes"
        ),
        "signs": "{name} contains 0 where the loss expects -1; a target of 0 is not treated like a target of -1",
        "bits": "{name} contains targets outside the range 0 to 1; with these, the loss can fall below 0",
    },
    "es": {
        "message": "{loss} recibe los objetivos {values}, pero espera {wanted}",
        "merged": (
            "las etiquetas {alike} de {name} se convierten todas en la clase {label} antes de llegar a la pérdida"
        ),
        "why_merged": (
            "el modelo tiene {classes} salidas, pero los objetivos solo tienen {left} clases distintas, así que el "
            "modelo no puede aprender a distinguir las etiquetas unidas"
        ),
        "reach": (
            "la mayoría de los objetivos de {loss} está entre {low} y {high}, pero {op} solo da valores en el "
            "intervalo {values}"
        ),
        "why_reach": (
            "las salidas nunca pueden alcanzar objetivos fuera del intervalo {values}; con esos objetivos, los "
            "gradientes llevan la activación a la saturación"
        ),
        "shared": (
            "los objetivos de una muestra suman {sum} a lo largo del eje {axis}, pero las salidas de {op} siempre "
            "suman 1"
        ),
        "why_shared": (
            "{loss} compara cada salida con su propio objetivo. {op} reparte un total de 1 entre las salidas del eje "
            "{axis}, así que ninguna muestra puede tener dos salidas cercanas a 1; hay que usar sigmoid si una "
            "muestra puede tener varias clases"
        ),
        "signs": "{name} contiene 0 donde la pérdida espera -1; un objetivo 0 no se trata como un objetivo -1",
        "bits": "{name} contiene objetivos fuera del intervalo de 0 a 1; con ellos, la pérdida puede bajar de 0",
    },
    "ja": {
        "message": "{loss} に渡されたターゲットは {values} ですが、必要なのは {wanted} です",
        "merged": "{name} のラベル {alike} は、損失に渡される前にすべてクラス {label} に変えられます",
        "why_merged": (
            "モデルの出力は {classes} 個ですが、ターゲットのクラスは {left} 種類しかないため、まとめられたラベルの区別"
            "を学習できません"
        ),
        "reach": (
            "{loss} のターゲットの大半は {low} から {high} の間にありますが、{op} が出力できるのは {values} "
            "の範囲だけです"
        ),
        "why_reach": (
            "範囲 {values} の外のターゲットには、どれだけ学習しても出力が届きません。そのようなターゲットでは、勾配が活"
            "性化関数を飽和させます"
        ),
        "shared": (
            "1 つのサンプルのターゲットは軸 {axis} に沿って合計 {sum} になりますが、{op} の出力の合計は常に 1 です"
        ),
        "why_shared": (
            "{loss} は出力を 1 つずつ対応するターゲットと比べます。{op} は軸 {axis} の出力に合計 1 "
            "を分け合わせるため、2 つの出力が同時に 1 に近づくことはありません。1 つのサンプルに複数のクラスがありうる"
            "場合は sigmoid を使ってください"
        ),
        "signs": "{name} には、損失が -1 を求めるところに 0 が入っています。ターゲット 0 は -1 のようには扱われません",
        "bits": "{name} に 0 から 1 の範囲外のターゲットがあり、損失が 0 を下回ることがあります",
    },
}
