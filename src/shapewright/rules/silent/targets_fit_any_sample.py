"""A loss does not depend on which target belongs to which sample: reordered targets give the same loss.

## What it finds
A training loss that stays the same when the targets alone are put in another order, though it reads them: every
prediction is compared with every target, or every target with one output for the whole batch. The probe computes the
loss again from the recorded calls.

## Why it hurts
Such a loss says nothing about the target of a single sample, only about all of them together. Nothing raises.

## Example
    loss = ((model(x).T - y[:, None]) ** 2).mean()    # (1, 32) - (32, 1)

## Instead
    loss = ((model(x).squeeze(-1) - y) ** 2).mean()

## Fix safety
Distances between distributions compare all with all on purpose; where both sides were given an axis for that, or both
are averaged, nothing is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import crossed, one_per_place, operands, produced, shown
from ...graph.training import place
from ...trace import Axis, Event, Pairing, TensorFact, Trace
from ..facts import Facts
from ..remedy import AlignAxes
from .loss_broadcasts_silently import from_one

code = "SW220"
stands_back = True
ASKED = ("unsqueeze", "[None]")


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every loss that the pairing of samples and targets does not move."""
    for answer in trace.answers(Pairing):
        data = answer.data
        if data.kind not in ("crossed", "averaged") or answer.site is None:
            continue
        event = trace.event(answer.event)
        pair = [fact for fact in operands(event)[:2]] if event is not None else []
        if len(pair) != 2:
            continue
        asked = [_asked(trace, fact) for fact in pair]
        if data.kind == "crossed" and (all(asked) or _distance(trace)):
            continue
        sources = [made.site for fact in pair if (made := produced(trace, fact)) is not None and made.site is not None]
        yield Facts(
            answer.site,
            why=data.kind,
            fields={
                "op": data.op,
                "batch": data.batch,
                "loss": f"{data.before:.5g}",
                "a": shown(pair[0].shape),
                "b": shown(pair[1].shape),
            },
            origins=tuple(
                origin
                for site in dict.fromkeys(sources)
                if site.line != answer.site.line and site.end_line <= site.line
                for origin in place(trace, site, "operator")
            ),
            severity="error" if data.kind == "crossed" and data.certain and not any(asked) else "warning",
            event=answer.event,
            remedy=AlignAxes() if data.kind == "crossed" else None,
        )


def _distance(trace: Trace) -> bool:
    """Whether some answer is crossed with itself, as the distance between two distributions asks."""
    for event in trace.events:
        pair = operands(event)[:2] if ops.is_a(event.op, "distances", "subtracts") else []
        if (
            len(pair) == 2
            and pair[0].requires_grad
            and pair[1].requires_grad
            and crossed(pair[0].shape, pair[1].shape)
            and from_one(trace, *pair)
        ):
            return True
    return False


def _asked(trace: Trace, fact: TensorFact) -> bool:
    """Whether the axis of size one was put in by hand."""
    if any(
        axis.size == 1 and axis.origin is not None and axis.origin.kind == "operator" and axis.origin.note in ASKED
        for axis in fact.axes
    ):
        return True
    made: Event | None = produced(trace, fact)
    return made is not None and (made.op == "unsqueeze" or (made.op == "getitem" and _thin(made.result)))


def _thin(fact: object) -> bool:
    axes: tuple[Axis, ...] = fact.axes if isinstance(fact, TensorFact) else ()
    return any(axis.size == 1 for axis in axes)


MESSAGES = {
    "en": {
        "message": "the loss does not depend on which target belongs to which sample",
        "crossed": (
            "reordering the {batch} targets leaves the loss at {loss}: {op} of {a} and {b} combines every prediction "
            "with every target. That is right for a distance between two distributions, but not for a loss per sample"
        ),
        "averaged": (
            "reordering the {batch} targets leaves the loss at {loss}: {op} of {a} and {b} compares every target with "
            "a single output for the whole batch"
        ),
    },
    "es": {
        "message": "la pérdida no depende de qué objetivo corresponde a qué muestra",
        "crossed": (
            "al reordenar los {batch} objetivos la pérdida sigue en {loss}: {op} de {a} y {b} combina cada predicción "
            "con todos los objetivos. Eso es correcto para una distancia entre dos distribuciones, pero no para una "
            "pérdida por muestra"
        ),
        "averaged": (
            "al reordenar los {batch} objetivos la pérdida sigue en {loss}: {op} de {a} y {b} compara todos los "
            "objetivos con una sola salida para todo el lote"
        ),
    },
    "ja": {
        "message": "どのターゲットがどのサンプルのものであっても、この損失は同じ値になります",
        "crossed": (
            "{batch} 個のターゲットを並べ替えても損失は {loss} のままです。{a} と {b} の {op} で、すべての予測がすべて"
            "のターゲットと組になっています。2 つの分布の距離なら正しいですが、サンプルごとの損失としては誤りです"
        ),
        "averaged": (
            "{batch} 個のターゲットを並べ替えても損失は {loss} のままです。{a} と {b} の {op} で、すべてのターゲットが"
            "、バッチ全体に対する 1 つの出力と比べられています"
        ),
    },
}
