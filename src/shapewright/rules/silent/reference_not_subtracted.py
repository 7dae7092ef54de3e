"""The log-likelihoods of a frozen reference are added to those of the trained network where they should be subtracted.

## What it finds
A trained network and a frozen one give the log-likelihoods of the same choices, and a loss grows with both or falls
with both.

## Why it hurts
The difference of the two says how far the trained network has moved from the reference. Their sum does not.

## Example
    margin = (policy_chosen - reference_chosen) - (policy_rejected + reference_rejected)

## Instead
    margin = (policy_chosen - reference_chosen) - (policy_rejected - reference_rejected)

## Fix safety
A loss that grows with one of them in one term and falls with the same one in another term is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import grouped, one_per_place, operands, tensors
from ...graph.likelihoods import Likelihood, likelihoods, whole
from ...graph.opposition import with_losses
from ...graph.signs import loss_events, masked, sign_in_loss
from ...graph.training import ancestors, descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW375"
of_any_rank = True


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Where the two meet, each time that their signs agree."""
    known = list(likelihoods(trace).values())
    trained = {one.network for one in known if one.learns}
    if {one.network for one in known} <= trained:
        return
    ends, step = loss_events(trace), masked(trace, with_losses(trace))
    for sides in grouped((one.chosen, one) for one in known).values():
        frozen = [one for one in sides if one.network not in trained]
        owns = [one for one in sides if one.learns]
        if len({(one.network, one.event.iteration) for one in owns}) < len(owns):
            continue  # asked twice at a time, for two parts
        for own in owns:
            for other in frozen:
                signs = {sign_in_loss(trace, one.event, ends, step=step) for one in (own, other)}
                met = _met(trace, own, other) if signs in ({1}, {-1}) else None
                if met is not None and met.site is not None:
                    yield Facts(
                        met.site,
                        fields={"kind": trace.modules[other.network].kind},
                        origins=tuple(
                            origin
                            for one in (own, other)
                            for site in dict.fromkeys((one.call.stack[0] if one.call.stack else None, one.event.site))
                            if site != met.site
                            for origin in place(trace, site)
                        ),
                        event=met.index,
                        remedy=TurnSign(met.site) if _apart(trace, met, {one.network for one in owns}) else None,
                    )


def _apart(trace: Trace, met: Event, owns: set[int]) -> bool:
    """Whether one side of a sum or difference was made of trained networks alone and the other of frozen ones alone:
    its sign is all that is wrong."""
    of = [set(), set()]
    for side, fact in zip(of, operands(met)):
        past = ancestors(trace, fact, 60).keys()
        side |= {one.network in owns for one in likelihoods(trace).values() if one.event.index in past}
    return of in ([{True}, {False}], [{False}, {True}])


def _met(trace: Trace, own: Likelihood, other: Likelihood) -> Event | None:
    """The first event that both have a part in, where the same weights were given to both before it."""
    after = [descendants(trace, list(tensors(one.event.result)), 60) for one in (own, other)]
    met = min(after[0].keys() & after[1].keys(), default=-1)
    weights = [
        {whole(trace, fact).uid for event in events.values() if event.index < met for fact in _weights(event)}
        for events in after
    ]
    return trace.events[met] if met >= 0 and weights[0] == weights[1] else None


def _weights(event: Event) -> list[TensorFact]:
    return [fact for fact in operands(event) if ops.is_a(event.op, "multiplies")][1:]


MESSAGES = {
    "en": {
        "message": (
            "log-likelihoods of the frozen {kind} are added to those of the trained network; a comparison needs the "
            "difference"
        ),
        "why": (
            "both log-likelihoods have the same sign in the loss. Only their difference measures how far the trained "
            "network has moved from the frozen one"
        ),
    },
    "es": {
        "message": (
            "las log-verosimilitudes de la red congelada ({kind}) se suman a las de la red que se entrena; para "
            "compararlas hace falta la diferencia"
        ),
        "why": (
            "las dos log-verosimilitudes llevan el mismo signo en la pérdida. Solo su diferencia mide cuánto se ha "
            "alejado la red que se entrena de la congelada"
        ),
    },
    "ja": {
        "message": (
            "凍結した {kind} の対数尤度が、学習中のネットワークの対数尤度に足されています。比べるには差が必要です"
        ),
        "why": (
            "2 つの対数尤度が同じ符号で損失に入っています。学習中のネットワークが凍結したネットワークからどれだけ離れた"
            "かを表すのは、両者の差だけです"
        ),
    },
}
