"""The entropy bonus of a policy has the wrong sign: the loss is lowered by making the policy certain.

## What it finds
`+ coef * dist.entropy().mean()` in the loss of a policy gradient.

## Why it hurts
The bonus is there to keep the policy exploring. With a plus it makes it collapse to one action.

## Example
    loss = policy_loss + 0.01 * dist.entropy().mean()

## Instead
    loss = policy_loss - 0.01 * dist.entropy().mean()

## Fix safety
Safe for policy gradients. Entropy that is lowered on purpose, as in semi-supervised learning, comes with no sampled
action.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import ops
from ...graph.flow import forward, operands, produced
from ...graph.likelihoods import is_drawn, likelihoods
from ...graph.signs import LINEAR, loss_events, method_called, sign_in_loss
from ...graph.source import Source
from ...graph.training import ancestors, losses, place
from ...trace import Event, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW292"
aliases = ("entropy-lowered",)


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
                    event=event.index,
                    remedy=TurnSign(minus=True),
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
        "message": "the loss grows with the policy's entropy",
        "why": "minimizing the loss lowers the entropy computed by `{text}`, which an entropy bonus should keep high",
    },
    "es": {
        "message": "la pérdida crece con la entropía de la política",
        "why": (
            "al minimizar la pérdida baja la entropía que calcula `{text}`, que una bonificación debería mantener alta"
        ),
    },
    "ja": {
        "message": "損失が方策のエントロピーとともに増えます",
        "why": (
            "損失を最小化すると、`{text}` が計算するエントロピーが下がります。エントロピーボーナスはこれを高く保つため"
            "のものです"
        ),
    },
}
