"""Returns or advantages count steps that they must not: those after the end of an episode, or those before.

## What it finds
A function of the script's that makes one number a step from rewards, values and flags. Its captured call is run again
with other numbers at some steps. Reported is a result before a flagged end that changes with what comes after the end
although the flag gates a part of it, a result that changes with the steps before it and not with those after it, one
that counts the value of its own step where it needs the value of the next, and flags read one step late: the last step
is ended by a flag of its own, every other one by the flag that belongs to the step before. A loop that only computes is
run again like a function. Also a target of a network that is set to zero at the last steps, reward and all.

## Why it hurts
The critic learns values that include rewards of another episode, or of the past, and the policy is credited with what
it had no part in. Nothing raises.

## Example
    for t in reversed(range(T)):
        delta = rewards[t] + gamma * values[t + 1] - values[t]
        carry = delta + gamma * lam * (1 - dones[t]) * carry

## Instead
        delta = rewards[t] + gamma * values[t + 1] * (1 - dones[t]) - values[t]

## Fix safety
Functions whose results depend on all steps, such as those that normalize, are not asked. Flags may mark the last step
of an episode or the first of the next one, by ones or by zeros.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.bootstrap import Bootstrap, bootstraps
from ...graph.carried import counting
from ...graph.flow import operands
from ...graph.training import ancestors, place
from ...trace import EpisodeSums, Trace
from ..facts import Facts
from ..remedy import GateAlone, StopAtFlags

code = "SW355"


def check(trace: Trace) -> Iterator[Facts]:
    """Every function whose sums count what they must not, or leave out what they must count."""
    yield from _wiped(trace)
    for told in trace.answers(EpisodeSums):
        if told.site is None:
            continue
        data, found = told.data, counting(trace, told.site, told.data)
        yield Facts(
            found[0].site or told.site,
            message=data.kind,
            why=f"why_{data.kind}",
            fields={"function": data.function, "flags": data.name, "name": data.other},
            origins=found[1:] + place(trace, told.stack[-2] if len(told.stack) > 1 else None),
            remedy=StopAtFlags(data.name) if data.kind == "crossed" else None,
        )


def _wiped(trace: Trace) -> Iterator[Facts]:
    """Bootstrap targets that are set to zero with their reward, where the value of the next state alone must go."""
    sums = dict(trace.data.wiped)
    for found in bootstraps(trace, sums) if sums else ():
        event = next((trace.events[at] for at, added in sums.items() if added == found.made.index), None)
        before = [one.index for one in ancestors(trace, found.ahead).values()]
        masked = {index for index, *_ in trace.data.masked}
        if event is None or event.site is None or not masked.isdisjoint(before):
            continue  # what is masked already ends there: this mask is another's
        yield Facts(
            event.site,
            message="wiped",
            why="why_wiped",
            origins=place(trace, found.made.site),
            severity="warning",
            remedy=_alone(trace, found),
        )
        return


def _alone(trace: Trace, found: Bootstrap) -> GateAlone | None:
    """The term that the value of the next state is in."""
    terms = operands(found.made)[:2]
    ahead = [at for at, fact in enumerate(terms) if found.ahead.producer in {fact.producer, *ancestors(trace, fact)}]
    return GateAlone(ahead[0]) if len(terms) == 2 and len(ahead) == 1 else None


MESSAGES = {
    "en": {
        "wiped": "the mask of the last steps removes the reward as well as the value of the next state",
        "why_wiped": (
            "reward and discounted value are added first and multiplied by the mask then: where the mask is 0 the "
            "target is 0, although the reward of some of these steps is not"
        ),
        "crossed": "{function} adds {name} from after the end of an episode to the steps before it",
        "why_crossed": (
            "the call was repeated with other values of {name} after a step that {flags} marks as an end: results "
            "before that step changed, although {flags} already stops a part of what is carried"
        ),
        "late": "{function} reads {name} one step late: {flags} ends the last step",
        "why_late": (
            "the call was repeated with one flag turned: {flags}, the flag after the last step, ends that step, so the "
            "flag after any other step is the next one in {name}; here each step is ended by its own, and the last "
            "flag of {name} changes nothing"
        ),
        "earlier": "{function} adds {name} from the steps before instead of the steps that follow",
        "why_earlier": (
            "the call was repeated with other values of {name} in the first half: the results of the second half "
            "changed; later values changed no earlier result"
        ),
        "own": "{function} uses the value of the same step where the value of the next step belongs",
        "why_own": (
            "the call was repeated with one larger entry of {name}: at that step it is added with the discount and "
            "subtracted again, so almost nothing of it is left"
        ),
    },
    "es": {
        "wiped": "la máscara de los últimos pasos elimina también la recompensa, no solo el valor del estado siguiente",
        "why_wiped": (
            "primero se suman la recompensa y el valor descontado y después se aplica la máscara: donde vale 0, el "
            "objetivo es 0, aunque la recompensa de algunos de esos pasos no lo es"
        ),
        "crossed": "{function} suma {name} de después del final de un episodio a los pasos anteriores",
        "why_crossed": (
            "se repitió la llamada con otros valores de {name} después de un paso que {flags} marca como final: "
            "cambiaron resultados anteriores a ese paso, aunque {flags} ya detiene una parte de lo que se arrastra"
        ),
        "late": "{function} lee {name} con un paso de retraso: {flags} termina el último paso",
        "why_late": (
            "se repitió la llamada con una marca cambiada: {flags}, la marca posterior al último paso, termina ese "
            "paso, así que la marca posterior a cualquier otro es la siguiente de {name}; aquí cada paso termina con "
            "la suya, y la última marca de {name} no cambia nada"
        ),
        "earlier": "{function} suma {name} de los pasos anteriores en vez de los siguientes",
        "why_earlier": (
            "se repitió la llamada con otros valores de {name} en la primera mitad: cambiaron los resultados de la "
            "segunda; valores posteriores no cambiaron ningún resultado anterior"
        ),
        "own": "{function} usa el valor del mismo paso donde corresponde el valor del paso siguiente",
        "why_own": (
            "se repitió la llamada con una entrada mayor de {name}: en ese paso se suma con el descuento y se vuelve "
            "a restar, así que casi no queda nada de ella"
        ),
    },
    "ja": {
        "wiped": "最後のステップのマスクが、次の状態の価値だけでなく報酬も消しています",
        "why_wiped": (
            "報酬と割り引いた価値を足した後にマスクを掛けているため、マスクが 0 の要素ではターゲットが 0 になります。"
            "そのうちいくつかのステップの報酬は 0 ではありません"
        ),
        "crossed": "{function} は、エピソードの終わりより後の {name} を、それより前のステップに足しています",
        "why_crossed": (
            "{flags} が終わりと示すステップより後の {name} を変えて呼び出し直すと、それより前の結果が変わりました。"
            "{flags} は引き継ぐ値の一部しか止めていません"
        ),
        "late": "{function} は {name} を 1 ステップ遅れて読んでいます。最後のステップは {flags} で終わります",
        "why_late": (
            "フラグを 1 つ反転して呼び出しを繰り返しました。最後のステップの後のフラグ {flags} がそのステップを終わらせ"
            "るので、ほかのステップの後のフラグは {name} の次の要素です。ここでは各ステップが自分の要素で終わり、"
            "{name} の最後の要素は何も変えません"
        ),
        "earlier": "{function} は、後に続くステップではなく、前のステップの {name} を足しています",
        "why_earlier": (
            "前半の {name} を変えて呼び出し直すと、後半の結果が変わりました。後の値を変えても、前の結果は変わりません"
        ),
        "own": "{function} は、次のステップの価値を使うところで、同じステップの価値を使っています",
        "why_own": (
            "{name} の値を一つ大きくして呼び出し直すと、そのステップでは割り引いて足され、また引かれるので、"
            "ほとんど残りませんでした"
        ),
    },
}
