"""Returns or advantages include the wrong steps: those after the end of an episode, or earlier ones.

## What it finds
A function of the script that computes one number per step from rewards, values and flags. The recorded call is run
again with other values at some steps. Reported is a result before the end of an episode that changes with values after
the end, although the flags stop a part of them; a result that changes with earlier steps and not with later ones; a
result that uses the value of its own step where it needs the value of the next step; and flags that are used one step
late, except the flag after the last step, or from the last step to the first. A loop that only computes is run again
like a function. Also a target that a mask sets to zero at the last steps, including the reward; a target that adds the
discounted value of the same states whose value is trained; and a target that evaluates the next states with the actions
for the current states.

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
from ...graph.carried import carried_at, counting
from ...graph.flow import operands
from ...graph.probed import line_of
from ...graph.states import stored_twice, trained_states
from ...graph.training import ancestors, place
from ...trace import EpisodeSums, Trace
from ..facts import Facts
from ..remedy import GateAlone, StopAtFlags

code = "SW355"


def check(trace: Trace) -> Iterator[Facts]:
    """Every function whose sums count what they must not, or leave out what they must count."""
    yield from _wiped(trace)
    yield from _turned(trace)
    yield from _same_states(trace)
    for told in trace.answers(EpisodeSums):
        if told.site is None:
            continue
        data, found = told.data, counting(trace, told.site, told.data)
        yield Facts(
            found[0].site or told.site,
            message=data.kind,
            why=f"why_{data.kind}",
            of_any_rank=True,
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


def _turned(trace: Trace) -> Iterator[Facts]:
    """Sums over the steps that stop at flags taken from the last to the first."""
    for told in trace.data.sums:
        made = trace.events[told.event]
        if told.turned and made.site is not None:
            site = carried_at(trace, made.site)
            yield Facts(
                site,
                message="turned",
                of_any_rank=True,
                why="why_turned",
                fields={"name": told.turned, "source": line_of(trace, site)},
                origins=place(trace, made.site),
            )
            return


def _same_states(trace: Trace) -> Iterator[Facts]:
    """The first place at which networks are asked about the states of which the value is trained, each time; what is
    stored twice in one transition is told of where it is stored."""
    for told in trained_states(trace) if not stored_twice(trace) else ():
        yield Facts(told.site, message=told.kind, why=f"why_{told.kind}", origins=place(trace, told.made))
        return


def _alone(trace: Trace, found: Bootstrap) -> GateAlone | None:
    """The term that the value of the next state is in."""
    terms = operands(found.made)[:2]
    ahead = [at for at, fact in enumerate(terms) if found.ahead.producer in {fact.producer, *ancestors(trace, fact)}]
    return GateAlone(ahead[0]) if len(terms) == 2 and len(ahead) == 1 else None


MESSAGES = {
    "en": {
        "wiped": "the mask of the last steps removes the reward from the target, not only the value of the next state",
        "why_wiped": (
            "the mask multiplies the sum of reward and discounted value. Where the mask is 0, the target is 0, "
            "although some of these steps have a reward"
        ),
        "crossed": (
            "{function} adds values of {name} that come after the end of an episode to the steps of that episode"
        ),
        "why_crossed": (
            "{name} was changed after a step that {flags} marks as an end, and the call was repeated: results up to "
            "that step changed. {flags} stops only a part of what is carried over"
        ),
        "late": "{function} uses each flag of {name} one step late; only {flags} is used at the right step",
        "why_late": (
            "the call was repeated with one flag flipped at a time: flag t of {name} acts on step t, except the last "
            "one, which has no effect. The last step uses {flags}, the flag of the step after it. Each flag therefore "
            "says whether the episode ended before its step, and step t should use flag t + 1"
        ),
        "earlier": "{function} adds {name} from earlier steps instead of later ones",
        "why_earlier": (
            "the call was repeated with other values of {name}. Changing the first half changed the results of the "
            "second half; changing a later value changed no result more than one step before it"
        ),
        "own": "{function} uses the value of the current step where it needs the value of the next step",
        "why_own": (
            "{name} was increased at a single step and the call repeated: the result of that step contains the "
            "increased value twice, once added with the discount and once subtracted"
        ),
        "turned": "`{source}` uses the flags `{name}` in reverse order",
        "why_turned": (
            "the sum over the later steps stops where `{name}` is set when read from the last step to the first, not "
            "at the steps that it marks. It continues past the real ends of episodes and stops within them"
        ),
        "states": "the target is computed from the same states as the prediction, not from the next states",
        "why_states": (
            "in every step seen, the network was given here the same states as the network being trained. The "
            "discounted value in the target must be that of the next state"
        ),
        "acted": "the value of the next states is computed with the actions for the current states",
        "why_acted": (
            "in every step seen, this network was given the current states (those whose value is trained), but the "
            "target combines the actions that it returned with the next states. The target needs the actions for the "
            "next states"
        ),
    },
    "es": {
        "wiped": (
            "la máscara de los últimos pasos quita del objetivo también la recompensa, no solo el valor del estado "
            "siguiente"
        ),
        "why_wiped": (
            "la máscara multiplica la suma de la recompensa y el valor descontado. Donde la máscara vale 0, el "
            "objetivo es 0, aunque algunos de esos pasos tienen recompensa"
        ),
        "crossed": "{function} suma a los pasos de un episodio valores de {name} posteriores a su final",
        "why_crossed": (
            "se cambió {name} después de un paso que {flags} señala como final y se repitió la llamada: cambiaron "
            "también resultados de ese paso o de pasos anteriores. {flags} impide solo en parte que los valores pasen "
            "de un episodio a otro"
        ),
        "late": (
            "{function} usa cada indicador de {name} con un paso de retraso; solo {flags} se usa en el paso correcto"
        ),
        "why_late": (
            "se repitió la llamada invirtiendo un solo indicador cada vez: el indicador t de {name} actúa sobre el "
            "paso t, salvo el último, que no tiene efecto. En el último paso se usa {flags}, el indicador del paso "
            "siguiente. Por tanto, cada indicador dice si el episodio terminó antes de su paso, y el paso t debería "
            "usar el indicador t + 1"
        ),
        "earlier": "{function} suma {name} de pasos anteriores en vez de posteriores",
        "why_earlier": (
            "se repitió la llamada con otros valores de {name}. Al cambiar la primera mitad cambiaron los resultados "
            "de la segunda; al cambiar un valor posterior no cambió ningún resultado situado más de un paso antes de él"
        ),
        "own": "{function} usa el valor del paso actual donde necesita el valor del paso siguiente",
        "why_own": (
            "se aumentó {name} en un solo paso y se repitió la llamada: el resultado de ese paso contiene dos veces el "
            "valor aumentado, una sumado con el descuento y otra restado"
        ),
        "turned": "`{source}` usa los indicadores `{name}` en orden inverso",
        "why_turned": (
            "la suma de los pasos posteriores se detiene donde `{name}` está activo si se lee del último paso al "
            "primero, no en los pasos que señala. Sigue más allá de los finales reales y se detiene dentro de los "
            "episodios"
        ),
        "states": "el objetivo se calcula con los mismos estados que la predicción, no con los estados siguientes",
        "why_states": (
            "en todos los pasos vistos, la red recibió aquí los mismos estados que la red que se entrena. El objetivo "
            "debe incluir el valor descontado del estado siguiente"
        ),
        "acted": "el valor de los estados siguientes se calcula con las acciones para los estados actuales",
        "why_acted": (
            "en todos los pasos vistos, esta red recibió los estados actuales (aquellos cuyo valor se entrena), pero "
            "el objetivo combina las acciones que la red devolvió con los estados siguientes. El objetivo necesita las "
            "acciones para los estados siguientes"
        ),
    },
    "ja": {
        "wiped": "最後のステップのマスクが、次の状態の価値だけでなく報酬もターゲットから消しています",
        "why_wiped": (
            "報酬と割引価値の和にマスクを掛けているため、マスクが 0 のステップではターゲットが 0 になります。その中には"
            "報酬のあるステップもあります"
        ),
        "crossed": "{function} は、エピソードが終わった後の {name} を、そのエピソードのステップに足しています",
        "why_crossed": (
            "{flags} が終わりを示すステップより後の {name} を変えて再実行すると、そのステップまでの結果が変わりました。"
            "{flags} は引き継がれる値の一部しか止めていません"
        ),
        "late": (
            "{function} は {name} の各フラグを 1 ステップ遅れて使っています。正しいステップで使われるのは {flags} "
            "だけです"
        ),
        "why_late": (
            "フラグを 1 つずつ反転して再実行すると、{name} のフラグ t はステップ t に作用し、{name} の最後のフラグは影"
            "響しませんでした。最後のステップには、その次のフラグである {flags} が使われます。つまり各フラグは、エピソ"
            "ードがそのステップより前に終わったかどうかを示すので、ステップ t にはフラグ t + 1 を使うべきです"
        ),
        "earlier": "{function} は、後のステップではなく前のステップの {name} を足しています",
        "why_earlier": (
            "{name} の値を変えて再実行しました。前半を変えると後半の結果が変わりましたが、後の値を変えても、2 ステップ"
            "以上前の結果は変わりませんでした"
        ),
        "own": "{function} は、次のステップの価値が必要なところで、現在のステップの価値を使っています",
        "why_own": (
            "{name} の 1 つの値を大きくして再実行すると、そのステップの結果では、同じ値が割り引いて足され、同時に引かれ"
            "ていました"
        ),
        "turned": "`{source}` はフラグ `{name}` を逆順に使っています",
        "why_turned": (
            "後のステップの和は、`{name}` が示すステップではなく、`{name}` を最後から逆に読んだときに立っているステップ"
            "で止まっています。実際のエピソードの終わりを越えて続き、エピソードの途中で止まります"
        ),
        "states": "ターゲットが、次の状態ではなく、予測と同じ状態から計算されています",
        "why_states": (
            "実行したどのステップでも、ここでネットワークに渡された状態は、学習中のネットワークに渡された状態と同じでし"
            "た。ターゲットに割り引いて足すのは、次の状態の価値です"
        ),
        "acted": "次の状態の価値が、現在の状態に対する行動を使って計算されています",
        "why_acted": (
            "実行したどのステップでも、このネットワークには現在の状態 (価値を学習している状態) が渡されましたが、ターゲ"
            "ットでは、返された行動が次の状態と組み合わされています。ターゲットには、次の状態に対する行動が必要です"
        ),
    },
}
