"""A mean over the samples is multiplied by one weight per sample.

## What it finds
A loss or a log-probability that was already averaged or summed over the samples, multiplied by a tensor of one value
per sample (weights, advantages, a mask) and averaged again. Also such an average that is multiplied by a power of its
own exponential, as the factor of a focal loss is.

## Why it hurts
No sample is multiplied by its own weight: the weights only scale the whole loss.

## Example
    (criterion(pred, y) * weight).mean()       # the criterion has averaged already
    -(log_prob.mean() * advantage).mean()

## Instead
    (nn.functional.mse_loss(pred, y, reduction="none") * weight).mean()
    -(log_prob * advantage).mean()

## Fix safety
Safe where the weights belong to the samples that were averaged.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import (
    REDUCING,
    TARGET_LOSSES,
    chain,
    grouped,
    maker,
    one_per_place,
    operands,
    reduced_to_scalar,
    result_shape,
    shown,
)
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Unreduce

code = "SW210"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every product of an averaged value and one weight a sample."""
    products = grouped((event.site, event) for event in trace.events if event.op == "mul" and event.site is not None)
    for event, *others in products.values():
        own = _weighs_itself(trace, event)
        if own is not None:
            yield Facts(
                event.site,
                message="own",
                why="why_own",
                fields={"op": own.op, "count": operands(own)[0].sizes[0], "line": own.site.line if own.site else "?"},
                origins=place(trace, own.site, "operator"),
                event=event.index,
                remedy=Unreduce(own.index),
            )
            continue
        found = [_averaged(trace, other) for other in (event, *others)]
        if all(found) and reduced_to_scalar(trace, event) is not None:
            source, count, weight = found[0]
            yield Facts(
                event.site,
                fields={
                    "op": source.op,
                    "count": count,
                    "weight": weight.name or "weight",
                    "shape": shown(weight.shape),
                },
                origins=place(trace, source.site, "operator"),
                event=event.index,
                remedy=Unreduce(source.index),
            )


def _source(trace: Trace, fact: TensorFact) -> Event | None:
    """What reduced several rows to one number, the minus aside."""
    made = maker(trace, fact, lambda event: event.op == "neg")
    reduces = made is not None and (made.op in REDUCING or made.op in TARGET_LOSSES) and result_shape(made) == ()
    rows = operands(made)[0] if reduces else None
    return made if rows is not None and rows.rank and rows.requires_grad and rows.sizes[0] > 1 else None


def _weighs_itself(trace: Trace, event: Event) -> Event | None:
    """The mean that a product has beside a weight made of the exponential of that mean."""
    pair = operands(event)
    if len(pair) != 2 or any(fact.shape != () or not fact.requires_grad for fact in pair):
        return None
    for fact, other in (pair, pair[::-1]):
        source = _source(trace, fact)
        alone = chain(trace, other, lambda made: len(operands(made)) == 1 and operands(made)[0].shape == (), 12)
        powers = [made for made in alone if ops.is_a(made.op, "exponentials")]
        if source is not None and any(_source(trace, operands(made)[0]) is source for made in powers):
            return source
    return None


def _averaged(trace: Trace, event: Event) -> tuple[Event, int, TensorFact] | None:
    """The event that averaged, the number of samples, and the weights, where a product has the one and the other."""
    pair = operands(event)
    if len(pair) != 2:
        return None
    for scalar, weight in (pair, pair[::-1]):
        if (
            scalar.shape != ()
            or not scalar.requires_grad
            or weight.requires_grad
            or weight.rank not in (1, 2)
            or weight.shape[0] < 4
        ):
            continue
        source = _source(trace, scalar)
        rows = weight.shape[0]
        if source is not None and operands(source)[0].sizes[0] == rows and all(size == 1 for size in weight.shape[1:]):
            return source, rows, weight
    return None


MESSAGES = {
    "en": {
        "message": (
            "{op} reduces the values of the {count} samples to one before they are multiplied by {weight} {shape}, "
            "which has one value per sample"
        ),
        "why": "no sample is multiplied by its own weight: {weight} only scales the whole loss",
        "own": (
            "the losses of {count} samples are reduced to one number before they are weighted, although the weight "
            "should depend on the loss of each sample"
        ),
        "why_own": (
            "{op} on line {line} has already reduced the samples to one number: easy and hard samples get the same "
            "weight"
        ),
    },
    "es": {
        "message": (
            "{op} reduce los valores de las {count} muestras a uno solo antes de multiplicarlos por {weight} {shape}, "
            "que tiene un valor por muestra"
        ),
        "why": "ninguna muestra se multiplica por su propio peso: {weight} solo escala la pérdida entera",
        "own": (
            "las pérdidas de {count} muestras se reducen a un solo número antes de ponderarlas, aunque el peso debe "
            "depender de la pérdida de cada muestra"
        ),
        "why_own": (
            "{op}, en la línea {line}, ya redujo las muestras a un solo número: las fáciles y las difíciles reciben el "
            "mismo peso"
        ),
    },
    "ja": {
        "message": (
            "{count} 個のサンプルの値が、サンプルごとの値を持つ {weight} {shape} を掛ける前に {op} で 1 つにまとめられ"
            "ています"
        ),
        "why": "各サンプルにそれぞれの重みが掛からず、{weight} は損失全体の大きさを変えるだけです",
        "own": (
            "{count} 個のサンプルの損失が、重みを掛ける前に 1 つの数にまとめられています。重みは各サンプルの損失から決"
            "まるものです"
        ),
        "why_own": (
            "{line} 行目の {op} がサンプルを先に 1 つの数にまとめているため、"
            "易しいサンプルにも難しいサンプルにも同じ重みが掛かります"
        ),
    },
}
