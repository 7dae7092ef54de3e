"""The input and the target of a loss are exchanged.

## What it finds
`kl_div(input, target)`, a cross entropy or a binary cross entropy where only the target requires gradients: the output
being trained is passed as the target, and the fixed distribution or the labels as the input.

## Why it hurts
It is the divergence in the other direction, which lets the student ignore outcomes that are likely under the teacher.
A cross entropy then reads the fixed labels as predictions, and the outputs as targets.

## Example
    F.kl_div(teacher.log_softmax(1), student.softmax(1))

## Instead
    F.kl_div(student.log_softmax(1), teacher.softmax(1), reduction="batchmean")

## Fix safety
A reverse divergence may be intended, so that case is only a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.flow import argument, maker, operands, produced, shown
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import SwapSides
from ..subjects import of_calls

code = "SW213"
of_any_rank = True


@of_calls("kl_div", "binary", "classifies")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every such loss whose target learns while its input is fixed."""
    fixed, learnt = argument(event, 0, "input"), argument(event, 1, "target")
    if (
        not isinstance(fixed, TensorFact)
        or not isinstance(learnt, TensorFact)
        or fixed.requires_grad
        or not learnt.requires_grad
    ):
        return
    if argument(event, 4, "log_target") is True or _stopped(trace, fixed):
        return  # a reverse divergence, or a gradient stopped on purpose to balance two of them
    reverse = event.op == "kl_div"
    sources = [made for fact in (fixed, learnt) if (made := produced(trace, fact)) is not None]
    yield Facts(
        event.site,
        message="message" if reverse else "sides",
        why="why" if reverse else "sides_why",
        fields={
            "op": event.op,
            "input": fixed.name or "input",
            "target": learnt.name or "target",
            "shape": shown(learnt.shape),
        },
        origins=tuple(o for made in sources for o in place(trace, made.site)),
        severity="warning" if reverse else "error",
        event=event.index,
        remedy=SwapSides("divergence" if reverse else "target"),
    )


def _stopped(trace: Trace, fact: TensorFact) -> bool:
    """Whether a tensor that learns elsewhere was detached for this loss."""
    cut = maker(trace, fact, lambda e: e.op != "detach", 4)
    return cut is not None and operands(cut)[0].requires_grad


MESSAGES = {
    "en": {
        "message": "kl_div is given the distribution being trained as target and the fixed one as input",
        "why": (
            "{target} {shape} requires gradients and {input} does not: kl_div(input, target) expects the "
            "log-probabilities of the trained network as input. If the reverse divergence is intended, suppress "
            "this finding on its line"
        ),
        "sides": "{op} is given the output being trained as target and the fixed values as input",
        "sides_why": (
            "{target} {shape} requires gradients and {input} does not: {op}(input, target) expects the output of the "
            "trained network as input"
        ),
    },
    "es": {
        "message": "kl_div recibe como target la distribución que se entrena y como input la distribución fija",
        "why": (
            "{target} {shape} requiere gradientes y {input} no: kl_div(input, target) espera como input las "
            "log-probabilidades de la red que se entrena. Si se busca la divergencia inversa, basta con suprimir "
            "este hallazgo en su línea"
        ),
        "sides": "{op} recibe como target la salida que se entrena y como input los valores fijos",
        "sides_why": (
            "{target} {shape} requiere gradientes y {input} no: {op}(input, target) espera como input la salida de la "
            "red que se entrena"
        ),
    },
    "ja": {
        "message": "kl_div のターゲットに学習中の分布、入力に固定された分布が渡されています",
        "why": (
            "勾配を持つのは {target} {shape} で、{input} は持ちません。kl_div(input, target) の input には、学習中のネ"
            "ットワークの対数確率を渡します。逆向きのダイバージェンスを意図するなら、この行の指摘を抑制してください"
        ),
        "sides": "{op} のターゲットに学習中の出力、入力に固定された値が渡されています",
        "sides_why": (
            "勾配を持つのは {target} {shape} で、{input} は持ちません。{op}(input, target) の input には、学習中のネッ"
            "トワークの出力を渡します"
        ),
    },
}
