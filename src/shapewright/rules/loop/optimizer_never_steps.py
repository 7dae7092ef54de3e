"""Gradients are computed and an optimizer exists, but nothing ever calls its `step`.

## What it finds
A script that makes an optimizer, runs `backward` in a loop and contains no call of `step` on it: of the only one, or of
one among several whose parameters receive gradients.

## Why it hurts
The parameters never change.

## Example
    # optimizer.zero_grad(); loss.backward() and nothing more.

## Instead
    # optimizer.step() after backward.

## Fix safety
Safe. Parameters that the script itself moves, with an optimizer that only clears their gradients, are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.calls import every, uses
from ...graph.ledger import ledger
from ...graph.training import of_kind, place
from ...lexicon import says
from ...trace import StepFact, Trace
from ..cause import Shared
from ..facts import Facts
from ..loop_remedy import InsertCall

code = "SW304"
CLEARS = frozenset({"zero_grad", "param_groups", "state_dict", "load_state_dict"})  # uses that are no step
STEPS = frozenset({"step", "minimize", "train_step"})


def check(trace: Trace) -> Iterator[Facts]:
    made = list(of_kind(trace, "optimizer"))
    passes = list(of_kind(trace, "backward"))
    if not made or len(passes) < 2:
        return
    if any(of_kind(trace, "step")):
        yield from _one_of_several(trace, made)
        return
    if _steps(trace) or _moved_by_hand(trace):
        return
    last = passes[-1]
    if last.site is None or last.loop < 0 or made[0].site is None:
        return
    yield Facts(
        last.site,
        fields={"optimizer": made[0].data.get("class", ""), "line": made[0].site.line, "times": len(passes)},
        origins=place(trace, made[0].site),
        cause=(Shared.NEVER_STEPS,),
        remedy=InsertCall("step"),
    )


def _one_of_several(trace: Trace, made: list[StepFact]) -> Iterator[Facts]:
    """Every optimizer that takes no step while others do, though `backward` reaches its parameters and nothing but
    clearing is done with it."""
    stepping = {step.data["optimizer"] for step in of_kind(trace, "step")}
    for optimizer in made:
        key, site = optimizer.data["optimizer"], optimizer.site
        if key in stepping or site is None or sum(one.site == site for one in made) > 1:
            continue
        reached = [step for step in of_kind(trace, "backward") if key in step.data.get("reached", ())]
        name, around = uses(trace, site) or ("", [])
        if not around and _moved_by_others(trace, key, stepping):
            continue  # it is left over: nothing is done with it, and others train all that it holds
        others = [
            step
            for step in of_kind(trace, "step")
            if reached and step.index > reached[0].index and step.site is not None
        ]
        if len(reached) < 2 or not name or not others or not _only_cleared(name, around):
            continue
        yield Facts(
            others[-1].site,
            message="one",
            why="why_one",
            fields={"optimizer": name, "line": site.line, "times": len(reached)},
            origins=place(trace, site),
            cause=(code, site),
            remedy=InsertCall("step", name),
        )


def _moved_by_others(trace: Trace, key: int, stepping: set[int]) -> bool:
    """Whether optimizers that step hold every parameter of one that does not."""
    held = ledger(trace).held
    others = frozenset().union(*(held.get(other, frozenset()) for other in stepping))
    return bool(held.get(key)) and held[key] <= others


def _moved_by_hand(trace: Trace) -> bool:
    """Whether the script itself adds something to parameters that an optimizer holds: it is there to clear them."""
    book = ledger(trace)
    held = frozenset().union(*book.held.values())
    added = (event for event in trace.events if event.op.endswith("_") and ops.is_a(event.op, "offsets"))
    return any(len(event.given) == 2 and book.aliased(event.given[0]) in held for event in added if event.site)


def _only_cleared(name: str, around: list[ast.AST | None]) -> bool:
    """Whether every use of an optimizer is known to be no step: made, cleared, handed to a scheduler, its groups
    read."""
    for parent in around:
        if isinstance(parent, ast.Attribute) and parent.attr in CLEARS:
            continue
        if (
            isinstance(parent, ast.Call)
            and name in map(ast.unparse, parent.args)
            and says(ast.unparse(parent.func), "scheduled")
        ):
            continue
        return False
    return True


def _steps(trace: Trace) -> bool:
    """Whether some source calls `step` on something that may be an optimizer: a cut loop may only have left it out."""
    return any(
        node.attr in STEPS and not says(ast.unparse(node.value), "scheduled") for node, _ in every(trace, ast.Attribute)
    )


MESSAGES = {
    "en": {
        "message": "backward runs, but no optimizer step follows",
        "why": (
            "{optimizer} was created on line {line}; backward ran {times} times, but nothing in the script calls its "
            "step()"
        ),
        "one": "{optimizer} never steps, although its parameters receive gradients",
        "why_one": (
            "{optimizer} was created on line {line}, and its parameters received gradients {times} times, but nothing "
            "calls its step(); the optimizer that steps here is a different one"
        ),
    },
    "es": {
        "message": "backward se ejecuta, pero no le sigue ningún paso del optimizador",
        "why": (
            "{optimizer} se creó en la línea {line}; backward se ejecutó {times} veces y nada en el script llama a su "
            "step()"
        ),
        "one": "{optimizer} nunca da un paso, aunque sus parámetros reciben gradientes",
        "why_one": (
            "{optimizer} se creó en la línea {line} y sus parámetros recibieron gradientes {times} veces, pero nada "
            "llama a su step(); el optimizador que da el paso aquí es otro"
        ),
    },
    "ja": {
        "message": "backward の後にオプティマイザの更新がありません",
        "why": (
            "{optimizer} は {line} 行目で作られました。backward は {times} 回実行されましたが、step() "
            "の呼び出しがスクリプトのどこにもありません"
        ),
        "one": "{optimizer} のパラメータには勾配が届きますが、step() が一度も呼ばれません",
        "why_one": (
            "{optimizer} は {line} 行目で作られ、そのパラメータには勾配が {times} 回届きましたが、step() "
            "の呼び出しがありません。ここで更新しているのは別のオプティマイザです"
        ),
    },
}
