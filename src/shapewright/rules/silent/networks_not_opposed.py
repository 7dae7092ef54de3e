"""A generator's loss moves the discriminator's scores in the same direction as the discriminator's own loss.

## What it finds
A discriminator scores what a generator made, each is trained by a loss of its own, and both losses lower, or both
raise, the score of generated samples: targets of zeros in both, the same sign in both. Also a discriminator whose own
loss moves the scores of generated and of real samples in the same direction, and one that lowers the log-likelihoods
that it should raise.

## Why it hurts
The two do not compete: the generator is trained to be recognized, so what it makes does not become more realistic.

## Example
    d_loss = bce(D(real), ones) + bce(D(G(z).detach()), zeros)
    g_loss = bce(D(G(z)), zeros)

## Instead
    g_loss = bce(D(G(z)), ones)

## Fix safety
Which of the two losses is wrong is decided by what the discriminator's loss does with the real samples.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import one_per_place, operands
from ...graph.ledger import ledger
from ...graph.opposition import Pull, pulls
from ...graph.signs import lowered, sign_in_loss
from ...graph.training import ancestors, of_kind, place
from ...trace import Event, Trace
from ..facts import Facts
from ..loop_remedy import ReadSibling
from ..remedy import Remedy, TurnSign

code = "SW282"


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every judge and maker whose losses agree, and every judge that does not tell what was made from what was
    given."""
    found, networks = list(pulls(trace)), ledger(trace).networks
    for critic in {pull.critic for pull in found if pull.makers}:
        own = networks[critic]
        mine = [pull for pull in found if pull.critic == critic and pull.taught & own and not pull.taught & pull.makers]
        theirs = [
            pull for pull in found if pull.critic == critic and pull.taught & pull.makers and not pull.taught & own
        ]
        made, given = ([pull for pull in mine if bool(pull.makers) == judged] for judged in (True, False))
        if not (theirs and made and given) or any(
            len({pull.sign for pull in side}) > 1 for side in (theirs, made, given)
        ):
            continue
        if made[0].sign == given[0].sign:
            yield _facts(trace, "alike", made[0], given[0])
        elif theirs[0].sign == made[0].sign and all(_unlikely(trace, pull) for pull in (made[0], given[0])):
            yield _facts(trace, "unlikely", given[0], theirs[0], networks[critic])
        elif theirs[0].sign == made[0].sign:
            yield _facts(trace, "message", theirs[0], made[0])


def _unlikely(trace: Trace, pull: Pull) -> bool:
    """Whether a judge's loss lowers the logarithm of its answer: the likelihood of what it should say."""
    ends = frozenset(loss.producer for step, loss in lowered(trace) if step is pull.passed)
    told = [event for fact in operands(pull.event) for event in ancestors(trace, fact, 40).values()]
    logs = [event for event in (pull.event, *told) if ops.is_a(event.op, "logarithms")]
    return bool(logs) and all(sign_in_loss(trace, event, ends) > 0 for event in logs)


def _facts(trace: Trace, message: str, wrong: Pull, other: Pull, own: frozenset[int] = frozenset()) -> Facts:
    name = trace.modules[wrong.critic].kind
    holding = [step.site for step in of_kind(trace, "optimizer") if own & set(step.data.get("held", ()))]
    return Facts(
        wrong.event.site or other.event.site,
        message=message,
        why=f"why_{message}" if message != "message" else "why_falls" if wrong.sign < 0 else "why_rises",
        fields={"name": name, "line": other.event.site.line if other.event.site else 0},
        origins=tuple(origin for site in (*holding, other.event.site) for origin in place(trace, site)),
        remedy=_remedy(wrong.event, message == "message") if message != "unlikely" else None,
    )


def _remedy(event: Event, sure: bool) -> Remedy | None:
    """The other target beside the one that a loss of scores and targets is given; of scores alone the other sign."""
    if event.site is None:
        return None
    return ReadSibling((event.site,), sure) if len(operands(event)) > 1 else TurnSign()


MESSAGES = {
    "en": {
        "message": "this loss trains the generator to help {name}, not to deceive it",
        "alike": "{name} is trained to move its scores of generated and real samples in the same direction",
        "unlikely": "{name} is trained to make wrong decisions: its log-likelihoods are minimized",
        "why_unlikely": (
            "both logarithms enter this loss with a plus, and the step lowers it; the objective must be negated, or "
            "its optimizer needs maximize=True (the generator's loss on line {line} pulls the scores the same way)"
        ),
        "why_rises": (
            "the discriminator's loss on line {line} lowers its score of generated samples, and this loss, which "
            "trains the generator, lowers the same score"
        ),
        "why_falls": (
            "the discriminator's loss on line {line} raises its score of generated samples, and this loss, which "
            "trains the generator, raises the same score"
        ),
        "why_alike": "the loss on line {line} moves the score of real samples in the same direction",
    },
    "es": {
        "message": "esta pérdida entrena al generador para ayudar a {name}, no para engañarlo",
        "alike": "{name} se entrena para mover en la misma dirección sus puntuaciones de muestras generadas y reales",
        "unlikely": "{name} se entrena para decidir mal: sus log-verosimilitudes se minimizan",
        "why_unlikely": (
            "los dos logaritmos entran con signo más en esta pérdida y el paso la baja; hay que negar el objetivo o "
            "dar maximize=True a su optimizador (la pérdida del generador de la línea {line} tira igual)"
        ),
        "why_rises": (
            "la pérdida del discriminador de la línea {line} baja la puntuación de las muestras generadas, y esta "
            "pérdida, que entrena al generador, baja la misma puntuación"
        ),
        "why_falls": (
            "la pérdida del discriminador de la línea {line} sube la puntuación de las muestras generadas, y esta "
            "pérdida, que entrena al generador, sube la misma puntuación"
        ),
        "why_alike": "la pérdida de la línea {line} mueve la puntuación de las muestras reales en la misma dirección",
    },
    "ja": {
        "message": "この損失は、{name} を騙すのではなく助けるように生成器を学習させます",
        "alike": "{name} は、生成されたサンプルと本物のサンプルのスコアを同じ方向に動かすように学習しています",
        "unlikely": "{name} は誤った判定をするように学習しています。対数尤度が最小化されています",
        "why_unlikely": (
            "2 つの対数がどちらもプラスで損失に入り、更新はそれを下げます。目的関数の符号を反転するか、"
            "オプティマイザに maximize=True が必要です ({line} 行目の生成器の損失もスコアを同じ方向に動かします)"
        ),
        "why_rises": (
            "{line} 行目の識別器の損失は生成されたサンプルのスコアを下げます。生成器を学習させるこの損失も同じスコアを"
            "下げます"
        ),
        "why_falls": (
            "{line} 行目の識別器の損失は生成されたサンプルのスコアを上げます。生成器を学習させるこの損失も同じスコアを"
            "上げます"
        ),
        "why_alike": "{line} 行目の損失は、本物のサンプルのスコアを同じ方向に動かします",
    },
}
