"""What an operator gives is computed during training and thrown away.

## What it finds
A statement that is nothing but an operator that changes no memory, or a layer, in a pass that is trained: its result
is bound to no name and no other operator reads it.

## Why it hurts
The statement has no effect. An activation, a mask, a detach or a layer that the author wrote down is missing from what
is computed, and the parameters of such a layer never learn.

## Example
    for layer in self.hidden:
        layer(x).relu()

## Instead
    for layer in self.hidden:
        x = layer(x).relu()

## Fix safety
Only a person can tell to what the result should be bound.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import consumers, operands, tensors
from ...graph.scopes import around
from ...graph.source import FUNCTIONS, Source
from ...graph.training import of_kind, place
from ...trace import Event, Site, Trace
from ..facts import Facts

code = "SW347"
LOOPS = (ast.For, ast.While, ast.AsyncFor)
# `data` is read by what writes a whole model to a file
KEPT = frozenset({"batch_norm", "instance_norm", "backward", "empty", "checkpoint", "data"})


def check(trace: Trace) -> Iterator[Facts]:
    """Every statement whose results were thrown away each time it ran."""
    loops = {step.loop for step in of_kind(trace, "backward")}
    source = Source(trace)
    idle: dict[Site, Event] = {}
    seen: dict[Site, Event] = {}
    lively: set[Site] = set()
    for event in trace.events:
        if event.site is None or event.site in lively:
            continue
        if not _pure(event) or any(user.site != event.site for user in consumers(trace, event.index)):
            lively.add(event.site)
        elif (
            event.loop in loops
            or (loops and event.modules and "grad" in event.flags)
            # in a loop within the steps; a model that is only called may be asked for what its layers keep
            or (not event.modules and seen.setdefault(event.site, event).iteration < event.iteration)
        ):
            idle.setdefault(event.site, event)
    for site, event in idle.items():
        statement = source.statement_at(site) if site not in lively else None
        if statement is None or not _alone(source, statement, site):
            continue
        yield Facts(
            site,
            fields={"text": source.site_text(site), "op": event.op},
            origins=tuple(o for one in event.stack[-2:-1] for o in place(trace, one)),
            event=event.index,
        )


def _pure(event: Event) -> bool:
    """Whether an operator computes from tensors, and changes none of them."""
    if event.op in KEPT or event.op.endswith("_") or ops.find(event.op) is None or not operands(event):
        return False
    given, made = {fact.uid for fact in operands(event)}, list(tensors(event.result))
    if ops.is_a(event.op, "reshapes", "casts", "moves") and all(
        (fact.shape, fact.dtype) == (operands(event)[0].shape, operands(event)[0].dtype) for fact in made
    ):
        return False  # what has the shape and type already loses nothing
    if ops.is_a(event.op, "leaves", "takes_data"):
        return False  # read by what is no operator
    if not made or event.kwargs.get("inplace") or event.kwargs.get("out") is not None:
        return False
    return all(fact.uid not in given and fact.shape is not None for fact in made)


def _alone(source: Source, statement: ast.stmt, site: Site) -> bool:
    """Whether a statement is this operator and nothing else, in a function or a loop."""
    if not isinstance(statement, ast.Expr) or source.node_at(site) is not statement.value:
        return False
    return any(isinstance(outer, (*FUNCTIONS, *LOOPS)) for outer in around(statement))


MESSAGES = {
    "en": {
        "message": "the result of {text} is thrown away",
        "why": (
            "{op} does not change its operand; its result is bound to no name, and no other operator of this training "
            "pass reads it"
        ),
    },
    "es": {
        "message": "el resultado de {text} se descarta",
        "why": (
            "{op} no modifica su operando; su resultado no se asigna a ningún nombre y ningún otro operador de esta "
            "pasada de entrenamiento lo lee"
        ),
    },
    "ja": {
        "message": "{text} の結果が捨てられています",
        "why": (
            "{op} は入力を書き換えません。結果はどの変数にも代入されず、この学習の計算のほかの演算からも読まれません"
        ),
    },
}
