"""The likelihood of the data is minimized: `log_prob` of observed data enters the loss with a plus sign.

## What it finds
`dist.log_prob(y).mean()` as a loss, where `y` was not drawn by the script.

## Why it hurts
The model learns to make the data unlikely, and the loss can fall without bound.

## Example
    loss = Normal(mean, scale).log_prob(y).mean()

## Instead
    loss = -Normal(mean, scale).log_prob(y).mean()

## Fix safety
Safe.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.batches import names_of, stored
from ...graph.signs import loss_events, method_called, sign_in_loss
from ...graph.source import Source, walk
from ...graph.training import ancestors, losses
from ...lexicon import says
from ...trace import Event, Trace
from ..facts import Facts
from ..remedy import TurnSign

code = "SW295"
of_any_rank = True
aliases = ("likelihood-lowered",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every log-probability of data that a loss grows with, weighted by constants alone."""
    ends, source = loss_events(trace), Source(trace)
    for _, loss in losses(trace):
        last: dict = {}
        made = ancestors(trace, loss)
        calls = {}
        for event in made.values():
            call = method_called(source, event, "log_prob")
            if call is not None and call.args:
                calls[event.site] = call
                if event.site not in last or last[event.site].index < event.index:
                    last[event.site] = event
        if len(last) != 1:
            continue
        (site, event), call = next(iter(last.items())), next(iter(calls.values()))
        if (
            says(ast.unparse(call.args[0]), "drawn")
            or _drawn(source, site.file, call.args[0])
            or not _observed(event)
            or sign_in_loss(trace, event, ends) <= 0
        ):
            continue
        yield Facts(
            site,
            fields={"text": source.text(call, site.file), "name": ast.unparse(call.args[0])},
            event=event.index,
            remedy=TurnSign(),
        )


def _drawn(source: Source, file: str, node: ast.expr) -> bool:
    """Whether the script draws what the call is given."""
    names = names_of(node)
    return any(
        isinstance(other, ast.Assign)
        and any(isinstance(part, ast.Attribute) and ops.is_a(part.attr, "policies") for part in walk(other.value))
        and names & stored(other)
        for other in source.nodes(file)
    )


def _observed(event: Event) -> bool:
    """Whether the call was made while learning."""
    return "grad" in event.flags


MESSAGES = {
    "en": {
        "message": "the loss grows with `{text}`: minimizing it makes the data less likely",
        "why": (
            "without maximize=True, an optimizer minimizes its loss. The log-probability of {name} should increase, so "
            "it needs a minus sign in the loss"
        ),
    },
    "es": {
        "message": "la pérdida crece con `{text}`: al minimizarla, los datos se hacen menos probables",
        "why": (
            "sin maximize=True, un optimizador minimiza su pérdida. La log-probabilidad de {name} debe aumentar, así "
            "que necesita un signo menos en la pérdida"
        ),
    },
    "ja": {
        "message": "`{text}` が増えると損失が増えるため、損失を最小化するとデータの尤度が下がります",
        "why": (
            "maximize=True でないオプティマイザは損失を最小化します。{name} の対数確率は大きくしたい量なので、損失では"
            "マイナスが必要です"
        ),
    },
}
