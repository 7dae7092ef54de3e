"""One axis is the batch for one layer of a model and time for another, or holds the choices for one operator alone.

## What it finds
Recurrent and attention layers of one model that read the same axis by different conventions: a Transformer encoder made
with `batch_first=True` hands its output to a decoder made without it. Also a relaxed sample (Gumbel-softmax) that is
drawn along a different axis from the one along which the probabilities of the same logits are computed.

## Why it hurts
The second layer passes information from sample to sample, and takes the steps of a sequence for independent samples.
A sample drawn along the wrong axis is no choice among the categories.

## Example
    encoder = nn.TransformerEncoderLayer(32, 4, batch_first=True)
    decoder = nn.TransformerDecoderLayer(32, 4)                     # reads (time, batch, features)

## Instead
    decoder = nn.TransformerDecoderLayer(32, 4, batch_first=True)

## Fix safety
The layers agree afterwards; check which of the two conventions the model's input and output follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import dim_of, maker, one_per_place, operands, produced, sample_uids
from ...graph.probed import constructor
from ...graph.training import place
from ...trace import Event, Origin, TensorFact, Trace
from ..facts import Facts
from ..remedy import BatchFirst

code = "SW234"
FAR = 12  # operators between noise or logits and their softmax


def check(trace: Trace) -> Iterator[Facts]:
    """The first layer of each model that takes a sample axis for time, where another layer takes it for the batch."""
    yield from _sampled(trace)
    samples = sample_uids(trace)
    batch: dict[tuple[int, int], Event] = {}
    time: dict[tuple[int, int], Event] = {}
    for event in trace.events:
        for first, second in _read(trace, event) if event.site is not None and event.modules else ():
            batch.setdefault((event.modules[0], first), event)
            time.setdefault((event.modules[0], second), event)
    for (model, uid), event in time.items():
        other = batch.get((model, uid))
        if other is None or uid not in samples or other.site == event.site:
            continue
        yield Facts(
            event.site,
            fields={
                "layer": _named(trace, event),
                "other": _named(trace, other),
                "line": other.site.line,
                "model": trace.modules[model].kind if model in trace.modules else "",
            },
            origins=tuple(origin for one in (event, other) for origin in _made(trace, one)),
            cause=(code, model),
            remedy=BatchFirst((event.modules[-1],)),
        )


@one_per_place
def _sampled(trace: Trace) -> Iterator[Facts]:
    """Every softmax of logits with noise along an axis along which none of the same logits alone runs, while one does
    along another."""
    drawn, plain = list[tuple[Event, int, int]](), dict[int, dict[int, Event]]()
    for event in trace.events:
        dim, fact = dim_of(event), next(iter(operands(event)), None)
        if not ops.is_a(event.op, "softmaxes") or dim is None or fact is None or not fact.shape:
            continue
        logits, noisy = _logits(trace, fact)
        if noisy or ops.is_a(event.op, "draws"):
            drawn.append((event, logits.uid, dim % fact.rank))
        else:
            plain.setdefault(logits.uid, {}).setdefault(dim % fact.rank, event)
    for event, uid, dim in drawn:
        other = next(iter(plain.get(uid, {}).items()), None)
        if uid and other is not None and dim not in plain[uid] and event.site is not None:
            line, shape = other[1].site, operands(event)[0].sizes
            fields = {"op": event.op, "dim": dim, "other": other[0], "line": line.line if line else 0}
            fields |= {"count": shape[dim], "of": shape[other[0]]}
            yield Facts(event.site, "sampled", "why_sampled", fields, place(trace, line), event=event.index)


def _logits(trace: Trace, fact: TensorFact) -> tuple[TensorFact, bool]:
    """What logits were before a temperature divided them and noise was added, and whether any was."""
    noisy = False
    for _ in range(FAR):
        made = produced(trace, fact)
        parts = [part for part in operands(made) if part.shape == fact.shape] if made is not None else []
        if made is None or not parts:
            break
        noise = [part for part in parts if _noise(trace, part)]
        if ops.is_a(made.op, "adds", "subtracts") and len(parts) == 2 and len(noise) == 1:
            fact, noisy = next(part for part in parts if part is not noise[0]), True
        elif ops.is_a(made.op, "scales", "keeps_values") and len(parts) == 1:
            fact = parts[0]
        else:
            break
    return fact, noisy


def _noise(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor is a draw, or computed of one, place by place."""
    drawn = maker(trace, fact, lambda made: ops.is_a(made.op, "pointwise") and not ops.is_a(made.op, "draws"), FAR)
    return drawn is not None and ops.is_a(drawn.op, "draws")


def _read(trace: Trace, event: Event) -> Iterator[tuple[int, int]]:
    """The identities of the axes that a layer takes for the batch and for time, for each of its sequences with more
    than one sample."""
    if ops.is_a(event.op, "recurrent"):
        module = trace.modules.get(event.modules[-1])
        first, given = 0 if module is not None and module.config.get("batch_first") else 1, event.args[:1]
    elif event.op == "multi_head_attention_forward":
        first, given = (
            1,
            event.args[:2],
        )  # the function is time-first: a module made with batch_first turns its input before
    else:
        return
    for fact in given:
        if (
            isinstance(fact, TensorFact)
            and fact.rank == 3
            and len(fact.axes) == 3
            and min(fact.shape[:2]) > 1
            and all(len(axis.uids) == 1 for axis in fact.axes[:2])
        ):
            yield fact.axes[first].uids[0][0], fact.axes[1 - first].uids[0][0]


def _named(trace: Trace, event: Event) -> str:
    return next(
        (trace.modules[uid].kind for uid in event.modules if uid in trace.modules and trace.modules[uid].is_torch),
        event.op,
    )


def _made(trace: Trace, event: Event) -> tuple[Origin, ...]:
    """Where the innermost module of which that is known was constructed."""
    made = (constructor(trace, trace.modules.get(uid)) for uid in reversed(event.modules))
    return next((found for found in made if found), ())


MESSAGES = {
    "en": {
        "sampled": "{op} draws a sample over axis {dim}; the probabilities of the same logits are over axis {other}",
        "why_sampled": (
            "noise is added to the logits and {op} makes the {count} values along axis {dim} add up to 1, whereas line "
            "{line} takes the {of} values along axis {other} for the choices of one variable"
        ),
        "message": "{layer} reads as time the axis that {other} reads as the batch",
        "why": (
            "this axis holds the samples of {model}; {layer} passes information from one sample to the next along it, "
            "whereas {other} on line {line} keeps the samples separate"
        ),
    },
    "es": {
        "sampled": "{op} toma una muestra sobre el eje {dim}; las probabilidades de esos logits son sobre el {other}",
        "why_sampled": (
            "se suma ruido a los logits y {op} hace que los {count} valores del eje {dim} sumen 1, mientras que la "
            "línea {line} toma los {of} valores del eje {other} como las opciones de una variable"
        ),
        "message": "{layer} lee como tiempo el eje que {other} lee como lote",
        "why": (
            "este eje contiene las muestras de {model}; {layer} pasa información de una muestra a la siguiente, "
            "mientras que {other} en la línea {line} mantiene separadas las muestras"
        ),
    },
    "ja": {
        "sampled": "{op} は軸 {dim} に沿ってサンプルを取りますが、同じロジットの確率は軸 {other} に沿って計算されます",
        "why_sampled": (
            "ロジットにノイズが加えられ、{op} は軸 {dim} の {count} 個の値の和を 1 にしますが、{line} 行目は軸 {other} "
            "の {of} 個の値を 1 つの変数の選択肢としています"
        ),
        "message": "{other} がバッチとして読む軸を、{layer} が時間として読んでいます",
        "why": (
            "この軸は {model} のサンプルの軸です。{line} 行目の {other} はサンプルを別々に扱いますが、{layer} はサンプ"
            "ルから次のサンプルへ情報を渡します"
        ),
    },
}
