"""Only one of two compared distributions is divided by a temperature.

## What it finds
`kl_div`, or `cross_entropy` with probabilities as targets, between the outputs of two networks: the student's scores
are divided by a number above 1 before their softmax and the teacher's are not. Also the other way round, where the loss
is multiplied by the square of that number, which only makes up for a temperature on both sides.

## Why it hurts
The student learns to be as sharp as the teacher after the division: without it, as it is used later, it can be too
certain. A softened teacher, whose small probabilities it should learn, is not what it sees.

## Example
    F.kl_div(F.log_softmax(student(x) / T, 1), F.softmax(teacher(x), 1), reduction="batchmean") * T * T

## Instead
    F.kl_div(F.log_softmax(student(x) / T, 1), F.softmax(teacher(x) / T, 1), reduction="batchmean") * T * T

## Fix safety
A number below 1 on the teacher's side alone sharpens its targets on purpose, and one above 1 may calibrate it: neither
is reported by itself. Scores that are multiplied by a learned number are left alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import argument, maker, operands, produced
from ...graph.scaling import factor, scaled_later, unscaled
from ...graph.training import place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import DoLikewise
from ..subjects import of_calls

code = "SW353"
of_any_rank = True


@of_calls("takes_log_probabilities", "takes_logits")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every comparison of two networks' scores of which one was divided by a temperature."""
    given, wanted = argument(event, 0, "input"), argument(event, 1, "target")
    if not (isinstance(given, TensorFact) and isinstance(wanted, TensorFact)) or given.rank != wanted.rank:
        return
    scores = given if ops.is_a(event.op, "takes_logits") else _scores(trace, given)
    aims = _scores(trace, wanted)
    if scores is None or aims is None or not scores.requires_grad:
        return
    (own, student), (other, teacher) = unscaled(trace, scores), unscaled(trace, aims)
    if not (_answered(trace, student) and _answered(trace, teacher)):
        return
    of_student = 0 < own < 1 and other == 1
    made_up = own == 1 and 0 < other < 1
    if made_up:
        made_up = any(math.isclose(times, other**-2, rel_tol=1e-3) for times in scaled_later(trace, event))
    if not of_student and not made_up:
        return
    bare = aims if of_student else scores
    maker = produced(trace, bare)
    yield Facts(
        event.site,
        why="why" if of_student else "squared",
        fields={
            "loss": event.op,
            "number": f"{1 / (own * other):.4g}",
            "softened": (scores if of_student else aims).name or ("input" if of_student else "target"),
            "bare": bare.name or ("target" if of_student else "input"),
            "square": f"{1 / (own * other) ** 2:.4g}",
        },
        origins=place(trace, maker.site) if maker is not None and maker.site != event.site else (),
        remedy=_likewise(trace, event, scores if of_student else aims, wanted if of_student else given, made_up),
        severity="warning",
        event=event.index,
    )


def _likewise(trace: Trace, loss: Event, scaled: TensorFact, other: TensorFact, sure: bool) -> DoLikewise | None:
    """The division of one side, for what the softmax of the other one is given, or the loss where that takes logits."""
    done = maker(trace, scaled, lambda e: factor(e) == 1)
    bare = _softmax(trace, other) or loss
    number = factor(done) if done is not None else None
    if done is None or number is None:
        return None
    sure = sure or any(math.isclose(times, number**-2, rel_tol=1e-3) for times in scaled_later(trace, loss))
    return DoLikewise(done.index, bare.index, sure)


def _scores(trace: Trace, fact: TensorFact) -> TensorFact | None:
    """What a softmax, or the logarithm of one, was taken of."""
    event = _softmax(trace, fact)
    return operands(event)[0] if event is not None else None


def _softmax(trace: Trace, fact: TensorFact) -> Event | None:
    """The softmax, or the one whose logarithm it is, that made a tensor."""
    event = maker(trace, fact, lambda e: ops.is_a(e.op, "logarithms") or factor(e) == 1)
    return event if event is not None and ops.is_a(event.op, "softmaxes") and operands(event) else None


def _answered(trace: Trace, fact: TensorFact) -> bool:
    """Whether a layer gave a tensor back."""
    event = produced(trace, fact)
    return event is not None and bool(event.modules)


MESSAGES = {
    "en": {
        "message": "only one side of {loss} is divided by a temperature",
        "why": (
            "the scores of the network being trained are divided by {number} before the softmax, but the scores from "
            "which {bare} is computed are not. When the trained network is later used without the temperature, it "
            "can be more certain than its target"
        ),
        "squared": (
            "the scores of the target are divided by {number} and the loss is multiplied by {square}, the square of "
            "{number}, but the scores of the network being trained are not divided"
        ),
    },
    "es": {
        "message": "solo uno de los lados de {loss} se divide entre una temperatura",
        "why": (
            "las puntuaciones de la red que se entrena se dividen entre {number} antes del softmax, pero no las "
            "puntuaciones con las que se calcula {bare}. Cuando la red entrenada se usa después sin temperatura, "
            "puede estar más segura que su objetivo"
        ),
        "squared": (
            "las puntuaciones del objetivo se dividen entre {number} y la pérdida se multiplica por {square}, el "
            "cuadrado de {number}, pero las puntuaciones de la red que se entrena no se dividen"
        ),
    },
    "ja": {
        "message": "{loss} の一方の側だけが温度で割られています",
        "why": (
            "学習中のネットワークのスコアは softmax の前に {number} で割られていますが、{bare} の計算に使うスコアは割"
            "られていません。学習後に温度なしで使うと、ネットワークの確率がターゲットより極端になることがあります"
        ),
        "squared": (
            "ターゲット側のスコアは {number} で割られ、損失には {number} の 2 乗 {square} が掛けられていますが、学習中"
            "のネットワークのスコアは割られていません"
        ),
    },
}
