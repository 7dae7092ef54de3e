"""An agent is asked about, or learns from, the observation of another step.

## What it finds
A model that is asked about the same observation in each step of an episode, although the steps give new ones: the state
is never advanced; or transitions that are all stored with the same one, or with the next observation in both places.
And a model that acts on each observation, but
learns from the ones that the steps gave next: the observation is stored after the step, so each action is paired with
its own result.

## Why it hurts
The agent chooses its actions blindly, or learns which actions belong to states that they were not taken in.

## Example
    while not done:
        action = policy(state).argmax()
        following, reward, done = env.step(action)

## Instead
    while not done:
        action = policy(state).argmax()
        following, reward, done = env.step(action)
        state = following

## Fix safety
The state is advanced below all that read it, or what is stored goes above the step. Nothing is reported where the model
is asked about the current observation at another line, or learns from observations that episodes begin with.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import AdvanceState, StoreStep

code = "SW314"


def check(trace: Trace) -> Iterator[Facts]:
    """Where the step is taken, or its observation stored."""
    for fact in trace.data.unadvanced:
        yield Facts(
            fact.site,
            message=fact.kind,
            why=f"why_{fact.kind}",
            fields={"line": fact.asked.line, "count": fact.count, "other": fact.other},
            origins=place(trace, fact.asked) if fact.asked != fact.site else (),
            remedy=StoreStep() if fact.kind == "trained" else AdvanceState(fact.site, fact.asked),
        )


MESSAGES = {
    "en": {
        "asked": "the model is given the same observation in every step of an episode: the state is never advanced",
        "why_asked": (
            "in {count} steps of one episode, the call on line {line} was given one and the same observation, although "
            "the steps returned {other} different ones. Assign the new observation before the next step"
        ),
        "stored": "every transition of an episode is stored with the same observation: the state is never advanced",
        "why_stored": (
            "in {count} steps of one episode, line {line} stored one and the same observation beside those that the "
            "steps returned ({other} different ones). Assign the new observation before the next step"
        ),
        "twice": "each transition is stored with the next observation twice: the state is advanced too early",
        "why_twice": (
            "in {other} steps that line {line} took to a different observation, two entries of what is stored here are "
            "the new observation, and none is the one that the action was chosen for. Store the transition before the "
            "new observation is assigned"
        ),
        "trained": "the model acts on each observation, but learns from the one that the step returned",
        "why_trained": (
            "among the {count} different observations that the model was trained on are {other} that ended an episode, "
            "which it never acted on (line {line}), but none that an episode began with. Each action is paired with "
            "the observation after it: store the observation before the step"
        ),
    },
    "es": {
        "asked": ("el modelo recibe la misma observación en todos los pasos de un episodio: el estado nunca avanza"),
        "why_asked": (
            "en {count} pasos de un episodio, la llamada de la línea {line} recibió siempre la misma observación, "
            "aunque los pasos devolvieron {other} distintas. Asigna la nueva observación antes del paso siguiente"
        ),
        "stored": ("todas las transiciones de un episodio se guardan con la misma observación: el estado nunca avanza"),
        "why_stored": (
            "en {count} pasos de un episodio, la línea {line} guardó siempre la misma observación junto a las que "
            "devolvieron los pasos ({other} distintas). Asigna la nueva observación antes del paso siguiente"
        ),
        "twice": "cada transición se guarda con la observación siguiente dos veces: el estado avanza demasiado pronto",
        "why_twice": (
            "en {other} pasos que la línea {line} dio hacia otra observación, dos entradas de lo guardado aquí son "
            "la observación nueva y ninguna es aquella para la que se eligió la acción. Guarda la transición antes de "
            "asignar la nueva observación"
        ),
        "trained": "el modelo actúa según cada observación, pero aprende de la que devolvió el paso",
        "why_trained": (
            "entre las {count} observaciones distintas con las que se entrenó el modelo hay {other} que terminaron un "
            "episodio, según las cuales nunca actuó (línea {line}), pero ninguna con la que empezara un episodio. Cada "
            "acción se empareja con la observación posterior: guarda la observación antes del paso"
        ),
    },
    "ja": {
        "asked": "エピソードのどのステップでも、モデルに同じ観測が渡されています。状態が更新されていません",
        "why_asked": (
            "1 つのエピソードの {count} ステップで、{line} 行目の呼び出しには常に同じ観測が渡されましたが、ステップは "
            "{other} 種類の観測を返しています。次のステップの前に、新しい観測を代入してください"
        ),
        "stored": "エピソードのすべての遷移が同じ観測とともに保存されています。状態が更新されていません",
        "why_stored": (
            "1 つのエピソードの {count} ステップで、{line} 行目は、ステップが返した観測 ({other} 種類) とともに常に同じ"
            "観測を保存しました。次のステップの前に、新しい観測を代入してください"
        ),
        "twice": "どの遷移にも次の観測が 2 回保存されています。状態の更新が早すぎます",
        "why_twice": (
            "{line} 行目で観測が変わった {other} ステップでは、ここで保存する値のうち 2 つが新しい観測で、行動を選んだ"
            "ときの観測は含まれません。新しい観測を代入する前に遷移を保存してください"
        ),
        "trained": "モデルは各ステップの観測に基づいて行動しますが、学習にはそのステップが返した観測を使っています",
        "why_trained": (
            "学習に使われた {count} 種類の観測には、エピソードを終わらせた観測 (行動には使われていないもの、{line} 行目"
            ") が {other} 個含まれ、エピソードの最初の観測は 1 つもありません。各行動がその後の観測と組になっています。"
            "観測はステップの前に保存してください"
        ),
    },
}
