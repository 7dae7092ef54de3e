"""A generator's loss pulls the discriminator the same way as the discriminator's own.

## What it finds
A discriminator scores what a generator made, each is trained by a loss of its own, and both losses lower, or both
raise, the score of generated samples: targets of zeros in both, the same sign in both. Also a discriminator whose own
loss moves the scores of generated and of real samples in the same direction.

## Why it hurts
The two do not compete: the generator learns to be recognized, and what it makes gets worse with every step.

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

from ...graph.flow import one_per_place, operands
from ...graph.ledger import ledger
from ...graph.opposition import Pull, pulls
from ...graph.training import place
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
        elif theirs[0].sign == made[0].sign:
            yield _facts(trace, "message", theirs[0], made[0])


def _facts(trace: Trace, message: str, wrong: Pull, other: Pull) -> Facts:
    name = trace.modules[wrong.critic].kind
    return Facts(
        wrong.event.site or other.event.site,
        message=message,
        why="why_alike" if message == "alike" else "why_falls" if wrong.sign < 0 else "why_rises",
        fields={"name": name, "line": other.event.site.line if other.event.site else 0},
        origins=place(trace, other.event.site),
        remedy=_remedy(wrong.event, message == "message"),
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
