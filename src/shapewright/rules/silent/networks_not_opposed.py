"""A generator's loss moves the discriminator's scores in the same direction as the discriminator's own loss.

## What it finds
A discriminator and a generator whose losses both lower, or both raise, the score of generated samples: targets of zeros
in both, the same sign in both. Also a discriminator whose own loss moves the scores of generated and real samples in
the same direction, one whose log-likelihoods are minimized instead of maximized, and one that is trained to give the
same samples high scores and low ones.

## Why it hurts
The two do not compete: the generator is trained to make samples that the discriminator recognizes, so they do not
become more realistic.

## Example
    d_loss = bce(D(real), ones) + bce(D(G(z).detach()), zeros)
    g_loss = bce(D(G(z)), zeros)

## Instead
    g_loss = bce(D(G(z)), ones)

## Fix safety
Which of the two losses is wrong is decided by what the discriminator's loss does with the real samples: it should raise
their score.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ... import ops
from ...graph.flow import one_per_place, operands, produced
from ...graph.ledger import ledger
from ...graph.opposition import Pull, contradicted, pulls
from ...graph.signs import lowered, sign_in_loss
from ...graph.training import ancestors, answers, of_kind, place
from ...trace import Event, Site, Trace
from ..facts import Facts
from ..loop_remedy import ReadSibling
from ..remedy import Remedy, TurnSign

code = "SW282"
of_any_rank = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every judge and maker whose losses agree, and every judge that does not tell what was made from what was
    given."""
    for first, second in itertools.islice(contradicted(trace), 1):
        made = [produced(trace, fact) for fact in (*operands(first)[:1], *operands(second)[:1])]
        near = [site for event in made if event is not None for site in event.stack[:1]]
        yield Facts(
            second.site,
            message="both",
            why="why_both",
            fields={"line": first.site.line if first.site is not None else 0},
            origins=tuple(
                o for site in dict.fromkeys((*near, first.site)) if site != second.site for o in place(trace, site)
            ),
            event=second.index,
        )
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
        elif theirs[0].sign == made[0].sign < 0:
            yield _facts(trace, "turned", made[0], theirs[0], site=_handed_on(trace, made[0]))
        elif theirs[0].sign == made[0].sign:
            yield _facts(trace, "message", theirs[0], made[0])


def _unlikely(trace: Trace, pull: Pull) -> bool:
    """Whether a judge's loss lowers the logarithm of its answer: the likelihood of what it should say."""
    ends = frozenset(loss.producer for step, loss in lowered(trace) if step is pull.passed)
    told = [event for fact in operands(pull.event) for event in ancestors(trace, fact, 40).values()]
    logs = [event for event in (pull.event, *told) if ops.is_a(event.op, "logarithms")]
    return bool(logs) and all(sign_in_loss(trace, event, ends) > 0 for event in logs)


def _handed_on(trace: Trace, pull: Pull) -> Site | None:
    """The line that gives a score to its loss: in the function that asked for the score, not in one that it calls."""
    event, before = pull.event, set(ancestors(trace, pull.event.given[0])) if pull.event.given else set()
    calls = [step for step in of_kind(trace, "forward") if step.data["module"] == pull.critic]
    asked = next((step.stack for step in reversed(calls) if answers(step) & (before | {event.index})), ())
    return next((site for site, other in zip(event.stack, asked) if site != other), event.site)


def _facts(
    trace: Trace,
    message: str,
    wrong: Pull,
    other: Pull,
    own: frozenset[int] = frozenset(),
    site: Site | None = None,
) -> Facts:
    name = trace.modules[wrong.critic].kind
    holding = [step.site for step in of_kind(trace, "optimizer") if own & set(step.data.get("held", ()))]
    within = wrong.critic in wrong.event.modules  # nothing is computed of the score but its gradient
    site = site or (wrong.passed.site if within else wrong.event.site)
    near = [wrong.event.site] if site != wrong.event.site else []
    return Facts(
        site or other.event.site,
        message=message,
        why=f"why_{message}" if message != "message" else "why_rises",
        fields={"name": name, "line": other.event.site.line if other.event.site else 0},
        origins=tuple(origin for one in (*holding, *near, other.event.site) for origin in place(trace, one)),
        remedy=_remedy(wrong.event, message == "message") if message not in ("unlikely", "turned") else None,
    )


def _remedy(event: Event, sure: bool) -> Remedy | None:
    """The other target beside the one that a loss of scores and targets is given; of scores alone the other sign."""
    if event.site is None:
        return None
    return ReadSibling((event.site,), sure) if len(operands(event)) > 1 else TurnSign()


MESSAGES = {
    "en": {
        "message": "this loss trains the generator to help the discriminator {name}, not to deceive it",
        "alike": "{name} is trained to move its scores of generated and real samples in the same direction",
        "unlikely": "{name} is trained to decide wrongly: its log-likelihoods are minimized",
        "why_unlikely": (
            "both logarithms have a plus sign in this loss, and the optimizer minimizes it, so it moves the scores of "
            "generated samples in the same direction as the generator's loss on line {line}. Negate the loss, or give "
            "the optimizer maximize=True"
        ),
        "why_rises": (
            "the discriminator's loss (line {line}) lowers its score of generated samples, and the generator's loss "
            "here lowers the same score"
        ),
        "why_alike": (
            "the losses here and on line {line} push the scores of real and generated samples in the same direction, "
            "so the discriminator does not learn to tell them apart"
        ),
        "both": "the same scores are compared with two different targets in one step",
        "why_both": (
            "the loss on line {line} compares the network's output for these samples with one number, and this loss "
            "compares the same output with another number. A second batch was probably intended here, for example the "
            "generated samples"
        ),
        "turned": "{name} is trained to give generated samples high scores and real samples low ones",
        "why_turned": (
            "the generator's loss on line {line} also raises the score of generated samples, so the two networks do "
            "not compete. If that loss is right, the two scores or their targets are exchanged here"
        ),
    },
    "es": {
        "message": "esta pérdida entrena al generador para ayudar al discriminador {name}, no para engañarlo",
        "alike": "{name} se entrena para mover en la misma dirección sus puntuaciones de muestras generadas y reales",
        "unlikely": "{name} se entrena para decidir mal: se minimizan sus log-verosimilitudes",
        "why_unlikely": (
            "los dos logaritmos llevan signo más en esta pérdida, y el optimizador la minimiza, así que mueve las "
            "puntuaciones de las muestras generadas en la misma dirección que la pérdida del generador de la línea "
            "{line}. Hay que cambiar el signo de la pérdida o pasar maximize=True al optimizador"
        ),
        "why_rises": (
            "la pérdida del discriminador (línea {line}) baja la puntuación de las muestras generadas, y aquí la "
            "pérdida del generador baja esa misma puntuación"
        ),
        "why_alike": (
            "las pérdidas de aquí y de la línea {line} mueven en la misma dirección las puntuaciones de las muestras "
            "reales y de las generadas, así que el discriminador no aprende a distinguirlas"
        ),
        "both": "las mismas puntuaciones se comparan con dos objetivos distintos en un mismo paso",
        "why_both": (
            "la pérdida de la línea {line} compara la salida de la red para estas muestras con un número, y esta "
            "pérdida compara la misma salida con otro. Probablemente aquí debía ir un segundo lote, por ejemplo las "
            "muestras generadas"
        ),
        "turned": "{name} se entrena para dar puntuaciones altas a las muestras generadas y bajas a las reales",
        "why_turned": (
            "la pérdida del generador de la línea {line} también sube la puntuación de las muestras generadas, así que "
            "las dos redes no compiten. Si esa pérdida es correcta, aquí están intercambiadas las dos puntuaciones o "
            "sus objetivos"
        ),
    },
    "ja": {
        "message": "この損失は、識別器 {name} を騙すのではなく助けるように生成器を学習させます",
        "alike": "{name} は、生成されたサンプルと本物のサンプルのスコアを同じ方向に動かすように学習しています",
        "unlikely": "{name} は誤った判定をするように学習しています。対数尤度が最小化されています",
        "why_unlikely": (
            "2 つの対数がどちらもプラスで損失に入り、オプティマイザは損失を最小化するため、生成されたサンプルのスコアが"
            " {line} 行目の生成器の損失と同じ方向に動きます。損失の符号を反転するか、オプティマイザに maximize=True を"
            "指定してください"
        ),
        "why_rises": (
            "識別器の損失 ({line} 行目) は生成されたサンプルのスコアを下げますが、ここでの生成器の損失も同じスコアを下"
            "げます"
        ),
        "why_alike": (
            "ここと {line} 行目の損失が、本物と生成されたサンプルのスコアを同じ方向に動かすため、識別器は両者の区別を学"
            "習できません"
        ),
        "both": "1 つのステップで、同じスコアが 2 つの異なるターゲットと比べられています",
        "why_both": (
            "{line} 行目の損失は、これらのサンプルに対するネットワークの出力をある数と比べますが、この損失は同じ出力を"
            "別の数と比べます。ここには、生成されたサンプルなどの別のバッチを渡すつもりだったと考えられます"
        ),
        "turned": "{name} は、生成されたサンプルに高いスコア、本物のサンプルに低いスコアを出すように学習しています",
        "why_turned": (
            "{line} 行目の生成器の損失も生成されたサンプルのスコアを上げるため、2 つのネットワークは競い合いません。そ"
            "の損失が正しければ、ここで 2 つのスコアかそのターゲットが入れ替わっています"
        ),
    },
}
