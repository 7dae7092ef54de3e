"""The entropy bonus of a policy has the wrong sign: the loss is lowered by making the policy certain.

## What it finds
`+ coef * dist.entropy().mean()` in the loss of a policy gradient. Also, where minus the log-probability of a sampled
action estimates the entropy: a target that grows with the log-probability and with the value of that action, and a
learned temperature that rises when the entropy is already high.

## Why it hurts
The bonus is there to keep the policy exploring. With a plus, training pushes it towards a single action.

## Example
    loss = policy_loss + 0.01 * dist.entropy().mean()

## Instead
    loss = policy_loss - 0.01 * dist.entropy().mean()

## Fix safety
Safe for policy gradients. Losses without the log-probability of an action, such as those of semi-supervised learning
that lower the entropy on purpose, are not reported.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import bootstraps, compared
from ...graph.flow import forward, lineage, maker, one_per_place, operands, produced
from ...graph.ledger import ledger
from ...graph.likelihoods import is_drawn, likelihoods
from ...graph.signs import LINEAR, loss_events, masked, method_called, sign_in_loss, turned, weighed
from ...graph.source import Source
from ...graph.training import ancestors, losses, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW292"
of_any_rank = True
aliases = ("entropy-lowered",)
NEAREST = 80  # events


def check(trace: Trace) -> Iterator[Facts]:
    """Every entropy that a loss with log-probabilities of actions grows with."""
    ends, source = loss_events(trace), Source(trace)
    for _, loss in losses(trace):
        made = ancestors(trace, loss)
        policy = any(is_drawn(trace, likelihoods(trace)[index]) for index in made.keys() & likelihoods(trace).keys())
        if policy:
            yield from _written_out(trace, made, ends)
        elif not any(method_called(source, event, "log_prob") is not None for event in made.values()):
            continue
        last = {}
        for event in made.values():
            if event.site is not None and method_called(source, event, "entropy"):
                if event.site not in last or last[event.site].index < event.index:
                    last[event.site] = event
        for site, event in last.items():
            if sign_in_loss(trace, event, ends) > 0:
                yield Facts(
                    site,
                    fields={"text": source.site_text(site)},
                    severity="warning",
                    origins=tuple(o for term in _terms(trace, event, ends) for o in place(trace, term.site)),
                    event=event.index,
                    remedy=TurnSign(minus=True),
                )
    yield from _targets(trace)
    yield from _temperatures(trace)


def _told(trace: Trace, fact: TensorFact) -> list[tuple[Event, int]]:
    """The log-probabilities that a tensor has in it, each with the sign by which it does."""
    source = Source(trace)
    last: dict[Site, Event] = {}
    for event in sorted(lineage(trace, fact, operands, NEAREST), key=lambda event: event.index):
        if event.site is not None and method_called(source, event, "log_prob") is not None:
            last[event.site] = event
    step = masked(trace, weighed(trace))

    def handed(user: Event, index: int) -> int:
        return 1 if ops.is_a(user.op, "cuts") else step(user, index)

    ends = frozenset({fact.producer})
    return [(event, sign_in_loss(trace, event, ends, step=handed)) for event in last.values()]


@one_per_place
def _targets(trace: Trace) -> Iterator[Facts]:
    """Every target that grows with the log-probability of the action it is about: of a bootstrap, or the value of the
    same state."""
    found = [(one.made, one.ahead, "target") for one in bootstraps(trace)]
    sums = ((maker(trace, target, _keeps), target) for _, _, target in compared(trace))
    found += [(made, target, "valued") for made, target in sums if made is not None and len(operands(made)) == 2]
    for made, fact, kind in found:
        for event, sign in _told(trace, fact) if made.site is not None else ():
            if sign > 0 and (kind == "target" or _of_that_action(trace, made, event)):
                yield Facts(
                    made.site,
                    message=kind,
                    why=f"why_{kind}",
                    fields={"line": event.site.line if event.site is not None else "?"},
                    origins=place(trace, event.site),
                    severity="warning",
                    event=made.index,
                )


def _keeps(event: Event) -> bool:
    return ops.is_a(event.op, "keeps_values")


def _of_that_action(trace: Trace, made: Event, told: Event) -> bool:
    """Whether a log-probability is added to what another network says of the same draw."""
    book = ledger(trace)
    drawn = {event.index for event in lineage(trace, told.result, operands, NEAREST) if ops.is_a(event.op, "draws")}
    for fact, other in itertools.permutations(operands(made)) if ops.is_a(made.op, "adds") else ():
        before = ancestors(trace, fact)
        judged = maker(trace, fact, lambda one: _keeps(one) or ops.is_a(one.op, "extremes"))
        if told.index not in before and drawn & before.keys() and book.sources(fact) - book.sources(other):
            return judged is not None and not ops.is_a(judged.op, "negates", "subtracts")
    return False


@one_per_place
def _temperatures(trace: Trace) -> Iterator[Facts]:
    """Every product of one number that learns with log-probabilities that do not, which a loss grows with as they
    do."""
    for event in trace.events:
        pair = sorted(operands(event), key=lambda fact: fact.requires_grad)
        if event.site is None or not ops.is_a(event.op, "multiplies") or len(pair) != 2:
            continue
        rest, knob = pair
        if rest.requires_grad or not knob.requires_grad or math.prod(knob.sizes) != 1 or rest.producer < 0:
            continue
        outer = sign_in_loss(trace, event, loss_events(trace)) * turned(trace, knob)
        for told, sign in _told(trace, rest) if outer else ():
            if sign * outer > 0:
                yield Facts(
                    event.site,
                    message="temperature",
                    why="why_temperature",
                    fields={"name": knob.name or "alpha", "line": told.site.line if told.site is not None else "?"},
                    origins=place(trace, told.site),
                    severity="warning",
                    event=event.index,
                    remedy=TurnSign(),
                )


def _written_out(trace: Trace, made: dict[int, Event], ends: frozenset[int]) -> Iterator[Facts]:
    """The same with `-(p * log p).sum()` written out."""
    for event in made.values():
        kinds = [part.op if (part := produced(trace, fact)) is not None else "" for fact in operands(event)]
        if (
            event.op != "mul"
            or event.site is None
            or len(kinds) != 2
            or not {"log_softmax", "log"} & set(kinds)
            or not {"softmax", "exp"} & set(kinds)
        ):
            continue
        if sign_in_loss(trace, event, ends) < 0:
            terms = [term for term in _terms(trace, event, ends) if term.site is not None]
            yield Facts(
                event.site,
                fields={"text": Source(trace).site_text(event.site)},
                severity="warning",
                origins=tuple(o for term in terms for o in place(trace, term.site)),
                event=event.index,
                remedy=TurnSign(terms[-1].site if terms else None),
            )


def _terms(trace: Trace, event: Event, ends: frozenset[int]) -> list[Event]:
    """The sums by which a term comes into the loss, the last of them."""
    found = [
        user
        for user in forward(trace, event, LINEAR | {"mul", "neg", "sub"}, 12)
        if ops.is_a(user.op, "offsets") and user.result is not None and user.index in ends
    ]
    return found[:1]


MESSAGES = {
    "en": {
        "message": "the loss grows with the policy's entropy, so training lowers the entropy",
        "why": (
            "the entropy is computed by `{text}`; an entropy bonus keeps it high and therefore enters the loss with a "
            "minus sign"
        ),
        "target": "the bootstrap target grows with the log-probability of the next action",
        "why_target": (
            "the negative of the log-probability of line {line} estimates the policy's entropy in the next state; with "
            "this sign, the target rewards an almost deterministic policy"
        ),
        "valued": "the value of a state is trained to grow with the log-probability of the action drawn there",
        "why_valued": (
            "the target adds the log-probability of line {line} to the value of the action; its negative estimates the "
            "entropy, so with this sign the target rewards an almost deterministic policy. Subtract it"
        ),
        "temperature": "the temperature {name} rises when the entropy is already high",
        "why_temperature": (
            "the loss grows with the product of {name} and the log-probability of line {line}: {name} falls when the "
            "policy becomes deterministic and rises when it becomes random, which drives the entropy away from its "
            "target"
        ),
    },
    "es": {
        "message": "la pérdida crece con la entropía de la política, así que el entrenamiento reduce la entropía",
        "why": (
            "la entropía se calcula con `{text}`; una bonificación de entropía la mantiene alta y por eso entra en la "
            "pérdida con signo menos"
        ),
        "target": "el objetivo de bootstrap crece con la log-probabilidad de la acción siguiente",
        "why_target": (
            "la log-probabilidad de la línea {line}, con signo menos, estima la entropía de la política en el estado "
            "siguiente; con el signo actual, el objetivo premia una política casi determinista"
        ),
        "valued": "el valor de un estado se entrena para crecer con la log-probabilidad de la acción muestreada en él",
        "why_valued": (
            "el objetivo suma la log-probabilidad de la línea {line} al valor de la acción; con signo menos estima la "
            "entropía, así que con el signo actual el objetivo premia una política casi determinista. Hay que restarla"
        ),
        "temperature": "la temperatura {name} sube cuando la entropía ya es alta",
        "why_temperature": (
            "la pérdida crece con el producto de {name} y la log-probabilidad de la línea {line}: {name} baja cuando "
            "la política se vuelve determinista y sube cuando se vuelve aleatoria, lo que aleja la entropía del valor "
            "deseado"
        ),
    },
    "ja": {
        "message": "方策のエントロピーが増えると損失が増えるため、学習はエントロピーを下げます",
        "why": (
            "エントロピーは `{text}` で計算されています。エントロピーボーナスは、これを高く保つためにマイナスの符号で損"
            "失に入れます"
        ),
        "target": "次の行動の対数確率が大きいほど、ブートストラップのターゲットが大きくなります",
        "why_target": (
            "{line} 行目の対数確率にマイナスを付けたものが、次の状態での方策のエントロピーの推定値です。今の符号では、"
            "決定的な方策ほどターゲットが高くなります"
        ),
        "valued": "状態の価値が、そこで選んだ行動の対数確率とともに大きくなるように学習されています",
        "why_valued": (
            "ターゲットは行動の価値に {line} 行目の対数確率を足しています。マイナスを付けたものがエントロピーの推定値な"
            "ので、今の符号では決定的な方策ほどターゲットが高くなります。対数確率は引いてください"
        ),
        "temperature": "エントロピーがすでに高いときに、温度 {name} が上がります",
        "why_temperature": (
            "損失は、{name} と {line} 行目の対数確率の積とともに増えます。方策が決定的になると {name} は下がり、ランダ"
            "ムになると上がるため、エントロピーは目標から離れていきます"
        ),
    },
}
