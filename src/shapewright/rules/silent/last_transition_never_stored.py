"""The transition that ends an episode is never stored.

## What it finds
A function or a container that is handed every step of an environment except those that end an episode, together with
the flag that marks the end: the loop breaks before it stores, or stores only while the episode goes on.

## Why it hurts
The flag is never set in what is learned from, so the value of a state after the end is never taken as 0, and the reward
of the last step is never seen.

## Example
    state, reward, done, _ = env.step(action)
    if done:
        break
    memory.append((previous, action, reward, state, done))

## Instead
    memory.append((previous, action, reward, state, done))
    if done:
        break

## Fix safety
The line goes above the branch that keeps it from the last step. Nothing is reported where no flag of the end is handed
over, where the steps that end an episode are stored by another line, or where episodes are only cut off by a time
limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...graph.training import place
from ...trace import Trace
from ..facts import Facts
from ..loop_remedy import StoreStep

code = "SW285"
of_any_rank = True


def check(trace: Trace) -> Iterator[Facts]:
    """At the line that hands the step over."""
    for fact in trace.data.unended:
        site = fact.stack[-1]
        near = dict.fromkeys((fact.step, *reversed(fact.stack[:-1])))
        yield Facts(
            site,
            fields={"steps": fact.steps, "ends": fact.ends, "line": fact.step.line},
            origins=tuple(origin for one in near if one != site for origin in place(trace, one)),
            remedy=StoreStep(fact.step),
        )


MESSAGES = {
    "en": {
        "message": "the transition that ends an episode is never stored",
        "why": (
            "this line ran after {steps} steps of line {line}, but after none of the {ends} that ended an episode, so "
            "the flag that it passes on is never set and no target treats a state as the last one"
        ),
    },
    "es": {
        "message": "la transición que termina un episodio nunca se guarda",
        "why": (
            "esta línea se ejecutó después de {steps} pasos de la línea {line}, pero después de ninguno de los {ends} "
            "que terminaron un episodio, así que el indicador que pasa nunca se activa y ningún objetivo trata un "
            "estado como el último"
        ),
    },
    "ja": {
        "message": "エピソードを終わらせる遷移が一度も保存されていません",
        "why": (
            "この行は {line} 行目のステップの後に {steps} 回実行されましたが、エピソードを終わらせた {ends} 回のステッ"
            "プの後には一度も実行されていません。そのため渡されるフラグは決して立たず、どのターゲットでも最後の状態として"
            "扱われません"
        ),
    },
}
