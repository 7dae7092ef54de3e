"""Returns or advantages count steps that they must not: those after the end of an episode, or earlier ones.

## What it finds
A function of the script's that makes one number a step from rewards, values and flags. Its captured call is run again
with other numbers at some steps. Reported is a result before a flagged end that changes with what comes after the end
although the flag gates a part of it, a result that changes with the steps before it and not with those after it, one
that counts the value of its own step where it needs the value of the next, and flags read one step late: the last step
is ended by a flag of its own, every other one by the flag that belongs to the step before. A loop that only computes is
run again like a function. Also a target of a network that is set to zero at the last steps, reward and all, and one
that adds the discounted value of the very states whose value is trained.

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

from ... import ops
from ...graph.bootstrap import Bootstrap, bootstraps
from ...graph.carried import counting
from ...graph.flow import lineage, operands, tensors
from ...graph.ledger import ledger
from ...graph.training import ancestors, answers, of_kind, place
from ...trace import EpisodeSums, Event, Site, StepFact, TensorFact, Trace
from ..facts import Facts
from ..remedy import GateAlone, StopAtFlags

code = "SW355"
MOVING = ops.named("orders_rows") | {"cat", "index_select"}
RECURRENT = frozenset({"RNN", "GRU", "LSTM", "RNNCell", "GRUCell", "LSTMCell"})
TWICE, NEAREST = 2, 60  # times that states are the same; events between a network's call and its loss


def check(trace: Trace) -> Iterator[Facts]:
    """Every function whose sums count what they must not, or leave out what they must count."""
    yield from _wiped(trace)
    yield from _same_states(trace)
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


def _same_states(trace: Trace) -> Iterator[Facts]:
    """Bootstrap targets in which a network is asked about the states of which the value is trained, each time."""
    calls = {at: step for step in of_kind(trace, "forward") for at in answers(step) if step.data.get("marks")}
    met: dict[tuple[Site | None, Site | None], list[bool]] = {}
    for found in bootstraps(trace) if calls else ():
        trained = _asked(trace, found.value, calls)
        given = [_given(trace, step, calls) for step in trained]
        own = {one for step in trained for one in step.stack}
        for step in _asked(trace, found.ahead, calls):
            states = _given(trace, step, calls)
            if states and given and all(given) and not _of_states(trace, found, step):
                alike = any(states <= other for other in given)
                apart = next((one for one in reversed(step.stack) if one not in own), step.site)
                met.setdefault((apart, found.made.site), []).append(alike)
    for (site, made), alike in met.items():
        if len(alike) >= TWICE and all(alike) and site is not None:
            yield Facts(site, message="states", why="why_states", origins=place(trace, made))
            return


def _of_states(trace: Trace, found: Bootstrap, step: StepFact) -> bool:
    """Whether what is added to the value was computed from what the network was given: a function of the states, as in
    distillation, and no reward."""
    before = ancestors(trace, found.ahead)
    added = [part for part in operands(found.made) if part.uid != found.ahead.uid and part.producer not in before]
    read = {part.uid for fact in added for event in ancestors(trace, fact).values() for part in event.given}
    return not read.isdisjoint(fact.uid for fact in tensors((step.data["args"], step.data["kwargs"])))


def _asked(trace: Trace, fact: TensorFact, calls: dict[int, StepFact]) -> list[StepFact]:
    """The calls of networks that gave a value, one for each row of it; none where rows were moved or cut."""
    moved: list[Event] = []

    def follow(event: Event) -> list[TensorFact]:
        own = [part for part in operands(event) if part.rank and ledger(trace).sources(part)]
        if event.index in calls:
            return []
        cut = isinstance(event.result, TensorFact) and event.result.sizes[:1] != own[0].sizes[:1] if own else False
        if event.op in MOVING or (cut and event.op != "stack" and not ops.is_a(event.op, "unsqueezes")):
            moved.append(event)
        return own

    found = [calls[event.index] for event in lineage(trace, fact, follow, NEAREST) if event.index in calls]
    return [] if moved else found


def _given(trace: Trace, step: StepFact, calls: dict[int, StepFact], depth: int = 8) -> frozenset[int]:
    """What tells the data that a network was given from others, or that those before it were."""
    book, facts = ledger(trace), [fact for fact in tensors((step.data["args"], step.data["kwargs"])) if fact.uid]
    if len(facts) != len(step.data["marks"]):
        return frozenset()
    module = trace.modules.get(step.data["module"])
    facts = facts[:1] if module is not None and module.kind in RECURRENT else facts  # a state is no data
    own = frozenset(mark for mark, fact in zip(step.data["marks"], facts) if not book.sources(fact))
    if own or not depth:
        return own if 0 not in own else frozenset()
    before = [one for fact in facts for one in _asked(trace, fact, calls)]
    return frozenset().union(*(_given(trace, one, calls, depth - 1) for one in before))


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
        "crossed": "{function} adds {name} from after the end of an episode to steps of that episode",
        "why_crossed": (
            "the call was repeated with other values of {name} after a step that {flags} marks as an end: results up "
            "to that step changed, although {flags} already stops a part of what is carried"
        ),
        "late": "{function} reads {name} one step late: {flags} ends the last step",
        "why_late": (
            "the call was repeated with single flags flipped: the flag of {name} at t acts on step t, but the last "
            "step is ended by {flags}, the flag after it, and the last flag of {name} has no effect; step t should "
            "therefore use the flag at t + 1"
        ),
        "earlier": "{function} adds {name} from the steps before instead of the steps that follow",
        "why_earlier": (
            "the call was repeated with other values of {name} in the first half: the results of the second half "
            "changed; later values changed no result more than one step earlier"
        ),
        "own": "{function} uses the value of the same step where the value of the next step belongs",
        "why_own": (
            "the call was repeated with one larger entry of {name}: at that step it is added with the discount and "
            "subtracted again, so that only the difference of the two is left"
        ),
        "states": "the target is computed from the states whose value is trained, not from the next states",
        "why_states": (
            "each time, the network was given here the same states as the network that is trained; the discounted "
            "value in a target is that of the state that follows"
        ),
    },
    "es": {
        "wiped": "la máscara de los últimos pasos elimina también la recompensa, no solo el valor del estado siguiente",
        "why_wiped": (
            "primero se suman la recompensa y el valor descontado y después se aplica la máscara: donde vale 0, el "
            "objetivo es 0, aunque la recompensa de algunos de esos pasos no lo es"
        ),
        "crossed": "{function} suma {name} de después del final de un episodio a pasos de ese episodio",
        "why_crossed": (
            "se repitió la llamada con otros valores de {name} después de un paso que {flags} marca como final: "
            "cambiaron resultados hasta ese paso, aunque {flags} ya detiene una parte de lo que se arrastra"
        ),
        "late": "{function} lee {name} con un paso de retraso: {flags} termina el último paso",
        "why_late": (
            "se repitió la llamada invirtiendo una sola marca cada vez: la marca de {name} en t actúa sobre el paso t, "
            "pero el último paso lo termina {flags}, la marca posterior a él, y la última marca de {name} no tiene "
            "efecto; por tanto, el paso t debería usar la marca de t + 1"
        ),
        "earlier": "{function} suma {name} de los pasos anteriores en vez de los siguientes",
        "why_earlier": (
            "se repitió la llamada con otros valores de {name} en la primera mitad: cambiaron los resultados de la "
            "segunda; los valores posteriores no cambiaron ningún resultado más de un paso antes"
        ),
        "own": "{function} usa el valor del mismo paso donde corresponde el valor del paso siguiente",
        "why_own": (
            "se repitió la llamada con una entrada mayor de {name}: en ese paso se suma con el descuento y se vuelve a "
            "restar, así que solo queda la diferencia de los dos"
        ),
        "states": "el objetivo se calcula con los estados cuyo valor se entrena, no con los estados siguientes",
        "why_states": (
            "la red recibió aquí cada vez los mismos estados que la red que se entrena; el valor descontado de un "
            "objetivo es el del estado que sigue"
        ),
    },
    "ja": {
        "wiped": "最後のステップのマスクが、次の状態の価値だけでなく報酬も消しています",
        "why_wiped": (
            "報酬と割り引いた価値を足した後にマスクを掛けているため、マスクが 0 の要素ではターゲットが 0 になります。"
            "そのうちいくつかのステップの報酬は 0 ではありません"
        ),
        "crossed": "{function} は、エピソードの終わりより後の {name} を、そのエピソードのステップに足しています",
        "why_crossed": (
            "{flags} が終わりと示すステップより後の {name} を変えて呼び出し直すと、そこまでの結果が変わりました。"
            "{flags} は引き継ぐ値の一部しか止めていません"
        ),
        "late": "{function} は {name} を 1 ステップ遅れて読んでいます。最後のステップは {flags} で終わります",
        "why_late": (
            "フラグを 1 つずつ反転して呼び出しを繰り返しました。{name} の位置 t のフラグはステップ t に作用しますが、最"
            "後のステップを終わらせるのはその後のフラグ {flags} で、{name} の最後のフラグは何も変えません。ステップ t "
            "には位置 t + 1 のフラグを使うべきです"
        ),
        "earlier": "{function} は、後に続くステップではなく、前のステップの {name} を足しています",
        "why_earlier": (
            "{name} の前半を変えて呼び出し直すと後半の結果が変わり、後の値を変えても、2 ステップ以上前の結果は変わりま"
            "せんでした"
        ),
        "own": "{function} は、次のステップの価値を使うところで、同じステップの価値を使っています",
        "why_own": (
            "{name} の値を一つ大きくして呼び出し直すと、そのステップでは割り引いて足され、また引かれるので、その差だけ"
            "が残りました"
        ),
        "states": "ターゲットが、次の状態ではなく、価値を学習している状態そのものから計算されています",
        "why_states": (
            "ここでネットワークに渡された状態は、毎回、学習しているネットワークに渡された状態と同じでした。"
            "ターゲットに割り引いて足すのは、次の状態の価値です"
        ),
    },
}
