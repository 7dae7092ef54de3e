"""A functional dropout stays active in evaluation mode.

## What it finds
`F.dropout(x, p)` or `F.scaled_dot_product_attention(..., dropout_p=p)` inside a module, called while that module is in
evaluation mode,
without saying `training=self.training`.

## Why it hurts
`F.dropout` defaults to `training=True`, and `dropout_p` does not depend on a mode: `model.eval()` does not reach them,
so predictions and validation metrics are random.

## Example
    x = F.dropout(x, 0.5)

## Instead
    # F.dropout(x, 0.5, training=self.training), or an nn.Dropout module; dropout_p=self.p if self.training
    # else 0.0.

## Fix safety
Safe. An explicit `training=True` (Monte Carlo dropout) is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.source import Source
from ...graph.training import of_kind, place
from ...trace import Event, Trace
from ..facts import Facts
from ..remedy import SetArgument

code = "SW308"
DROPOUTS = ops.named("drops")


def check(trace: Trace) -> Iterator[Facts]:
    for event in trace.events:
        if "evaluating" not in event.flags or event.site is None or not event.modules:
            continue
        share = _share(event)
        module = trace.modules.get(event.modules[-1])
        if not share or module is None or module.is_ready_made or _explicit(trace, event):
            continue
        switch = next(of_kind(trace, "eval"), None)
        yield Facts(
            event.site,
            fields={
                "op": event.op,
                "share": f"{share:g}",
                "model": module.kind,
            },
            origins=place(trace, switch.site if switch else None),
            event=event.index,
            remedy=SetArgument("training", "self.training", 2),
        )


def _share(event: Event) -> float:
    """The share that is dropped, 0 where nothing is."""
    if event.op in DROPOUTS:
        training = event.kwargs.get("training", event.args[2] if len(event.args) > 2 else True)
        share = event.kwargs.get("p", event.args[1] if len(event.args) > 1 else 0.5)
        return share if training is True and isinstance(share, (int, float)) else 0.0
    if event.op == "scaled_dot_product_attention":
        share = event.kwargs.get("dropout_p", event.args[4] if len(event.args) > 4 else 0.0)
        return share if isinstance(share, (int, float)) else 0.0
    return 0.0


def _explicit(trace: Trace, event: Event) -> bool:
    """Whether the call itself says `training=...`."""
    call = Source(trace).spanned(event.site, ast.Call)
    return call is None or (
        event.op in DROPOUTS and (len(call.args) > 2 or any(word.arg == "training" for word in call.keywords))
    )


MESSAGES = {
    "en": {
        "message": "{op} drops values with probability {share} in evaluation mode too",
        "why": "{model} was in evaluation mode, but this call does not depend on the mode",
    },
    "es": {
        "message": "{op} descarta valores con probabilidad {share} también en modo de evaluación",
        "why": "{model} estaba en modo de evaluación, pero esta llamada no depende del modo",
    },
    "ja": {
        "message": "{op} が評価モードでも確率 {share} で値をドロップします",
        "why": "{model} は評価モードでしたが、この呼び出しはモードに従いません",
    },
}
