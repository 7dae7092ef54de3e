"""A hand-written normalization uses the statistics of the current batch even in evaluation.

## What it finds
A model that subtracts a mean over the samples of the batch inside, keeps no running averages, and is used in
evaluation: there a sample's output depends on the other samples in the batch. Proven by running the model again with
other samples in the batch.

## Why it hurts
The same sample gives a different output in a different batch. Where the statistics run over the samples alone, a single
sample has no spread, and its output can be NaN or a constant.

## Example
    h = (h - h.mean(dim=0)) / h.std(dim=0)

## Instead
    h = self.norm(h)                  # nn.BatchNorm1d: running averages in evaluation; or nn.LayerNorm: each sample by
    itself

## Fix safety
Batch norm and its hand-written forms with running averages are not reported, nor models that are never used in
evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import consumers, operands
from ...graph.probed import evidence, line_of, numbers
from ...trace import BatchIndependence, ProbeFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import SetDim

code = "SW225"


def check(trace: Trace) -> Iterator[Facts]:
    """Every such normalization of a model that answers in evaluation."""
    for answer in trace.answers(BatchIndependence):
        data = answer.data
        if (
            answer.site is None
            or not data.certain
            or data.op != "mean"
            or data.statistics < 2
            or any(data.axes)
            or not _used(trace, answer)
            or not _subtracted(trace, answer)
        ):
            continue
        yield Facts(
            answer.site,
            why=evidence(answer),
            fields={"source": line_of(trace, answer.site), **numbers(answer)},
            severity="warning",
            remedy=SetDim(),
        )


def _used(trace: Trace, answer: ProbeFact[BatchIndependence]) -> bool:
    """Whether the model was called in evaluation, where its answers are to be had one by one."""
    return any(
        step.kind == "forward" and step.data["module"] == answer.module and not step.data["training"]
        for step in trace.steps
    )


def _subtracted(trace: Trace, answer: ProbeFact[BatchIndependence]) -> bool:
    """Whether that mean is taken off the very tensor that it is the mean of."""
    for event in trace.events:
        if event.op == "mean" and event.site == answer.site:
            own = {fact.uid for fact in operands(event)[:1]}
            for user in consumers(trace, event.index):
                pair = operands(user)
                if user.op == "sub" and pair and isinstance(pair[0], TensorFact) and pair[0].uid in own:
                    return True
    return False


MESSAGES = {
    "en": {
        "message": "`{source}` normalizes with the statistics of the current {batch} samples, even in evaluation",
        "why": (
            "in evaluation mode, replacing sample 0 changed the outputs of other samples ({changed} of {of}, by up to "
            "{largest}); use running averages, or normalize each sample separately"
        ),
        "alone": (
            "in evaluation mode, removing some samples changes the outputs of the others; use running averages, or "
            "normalize each sample separately"
        ),
    },
    "es": {
        "message": "`{source}` normaliza con las estadísticas de las {batch} muestras actuales, también al evaluar",
        "why": (
            "en modo de evaluación, al sustituir la muestra 0 cambiaron las salidas de otras muestras ({changed} de "
            "{of}, diferencia máxima: {largest}); conviene usar medias móviles o normalizar cada muestra por separado"
        ),
        "alone": (
            "en modo de evaluación, al quitar algunas muestras cambian las salidas de las demás; conviene usar "
            "medias móviles o normalizar cada muestra por separado"
        ),
    },
    "ja": {
        "message": "`{source}` は評価時にも、その場の {batch} サンプルの統計で正規化しています",
        "why": (
            "評価モードでサンプル 0 を別のものに替えると、ほかの {of} 件中 {changed} 件の出力が変わりました (差は最大 "
            "{largest})。移動平均を保存して使うか、サンプルごとに正規化してください"
        ),
        "alone": (
            "評価モードで一部のサンプルを除くと残りの出力が変わります。移動平均を保存して使うか、サンプルごとに正規化"
            "してください"
        ),
    },
}
