"""The rows of a model's output are not the samples of the batch: an operator inside removed the sample axis.

## What it finds
A loss that stays the same when the samples are reordered but changes when the targets are, or a model whose output has
as many rows without some of the samples; and the first operator inside the model whose result no longer has a sample
axis. The script only runs because another axis happens to be as long as the batch.

## Why it hurts
Row i of the output does not belong to sample i, but is compared with its target. Nothing raises until the sizes differ.

## Example
    return self.head(self.embed(tokens).mean(0))      # (batch, time, width): the mean runs over the batch

## Instead
    return self.head(self.embed(tokens).mean(1))

## Fix safety
Safe where each sample should have an output of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import one_per_place, operands, shown, tensors
from ...graph.probed import line_of
from ...trace import Event, Pairing, ProbeFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetDim

code = "SW227"
aliases = ("answers-are-not-samples",)


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every model that answers for something else than samples."""
    for answer in trace.answers(Pairing):
        if answer.data.kind != "deaf":
            continue
        event = _lost(trace, answer)
        if event is None:
            continue
        given = next(fact for fact in operands(event) if _samples(fact))
        yield Facts(
            event.site,
            why="rows" if answer.data.rows is not None else "why",
            fields={
                "source": line_of(trace, event.site),
                "model": answer.data.model,
                "batch": answer.data.batch,
                "shape": shown(given.shape),
                "result": shown(next(tensors(event.result)).shape),
                "before": f"{answer.data.before:.5g}",
                "after": f"{answer.data.after:.5g}",
            },
            origins=(),
            event=event.index,
            remedy=SetDim(),
        )


def _lost(trace: Trace, answer: ProbeFact[Pairing]) -> Event | None:
    """The first operator of the model that reads samples and whose result counts none."""
    for event in trace.events:
        if event.modules and event.modules[0] == answer.module and event.site is not None:
            given = [fact for fact in operands(event) if fact.kind == "tensor" and fact.rank >= 1]
            made = next(tensors(event.result), None)
            if (
                given
                and _samples(given[0])
                and made is not None
                and made.axes
                and not _samples(made)
                and not any(len(axis.uids) > 1 for axis in made.axes)
            ):
                return event
    return None


def _samples(fact: TensorFact) -> bool:
    return any(axis.role == "batch" and axis.origin is not None and axis.origin.kind == "loader" for axis in fact.axes)


MESSAGES = {
    "en": {
        "message": "`{source}` removes the axis of the {batch} samples: {shape} becomes {result}",
        "rows": (
            "the rows of the output of {model} are therefore not samples: with two of the {batch} samples removed, the "
            "output still has {batch} rows"
        ),
        "why": (
            "the rows of the output of {model} are therefore not samples: reordering the samples leaves the loss at "
            "{before}, but reordering the targets changes it to {after}"
        ),
    },
    "es": {
        "message": "`{source}` elimina el eje de las {batch} muestras: {shape} pasa a {result}",
        "rows": (
            "por eso las filas de la salida de {model} no son muestras: al quitar dos de las {batch} muestras, la "
            "salida sigue teniendo {batch} filas"
        ),
        "why": (
            "por eso las filas de la salida de {model} no son muestras: al reordenar las muestras la pérdida sigue en "
            "{before}, pero al reordenar los objetivos pasa a {after}"
        ),
    },
    "ja": {
        "message": "`{source}` で {batch} サンプルの軸がなくなっています ({shape} → {result})",
        "rows": (
            "そのため、{model} の出力の各行はサンプルに対応しません。{batch} サンプルから 2 個を除いても、出力は "
            "{batch} 行のままです"
        ),
        "why": (
            "そのため、{model} の出力の各行はサンプルに対応しません。サンプルを並べ替えても損失は {before} のままですが"
            "、ターゲットを並べ替えると {after} になります"
        ),
    },
}
