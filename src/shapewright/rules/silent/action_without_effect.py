"""A temporal-difference loss takes the largest value of a state, whatever action was taken there.

## What it finds
A loss that compares a bootstrap target with the largest of the values that the trained network gives for a state,
beside whole numbers, one per sample, that nothing reads: the actions that were taken.

## Why it hurts
The reward and the next state are consequences of the action that was taken, which is often not the one of the largest
value. The values of all other actions are never trained.

## Example
    values = q(states).max(dim=1).values
    loss = F.mse_loss(values, rewards + gamma * q_target(next_states).max(dim=1).values)

## Instead
    values = q(states).gather(1, actions.unsqueeze(1)).squeeze(1)

## Fix safety
Safe where the unread numbers have a name in the function of the loss.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.bootstrap import bootstraps
from ...graph.flow import RESHAPING, dim_of, maker, one_per_place, operands, produced
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import descendants, place
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import Rewrite

code = "SW367"
LARGEST = frozenset({"max", "amax"})
NEAR, BEFORE = 8, 200  # calls that may read the actions, and that lie between these and what should have read them


@one_per_place
def check(trace: Trace) -> Iterator[Facts]:
    """Every such loss, at what takes the largest value."""
    book = ledger(trace)
    for found in bootstraps(trace):
        made = maker(trace, found.value, lambda event: event.op in RESHAPING and not event.modules)
        if made is None or made.op not in LARGEST or made.modules or made.site is None or len(operands(made)) != 1:
            continue
        values = operands(made)[0]
        if values.rank != 2 or values.sizes[1] < 2 or dim_of(made) not in (1, -1) or not book.learners(values):
            continue
        taken = _unread(trace, made, found.loss, values.sizes[0])
        if taken is not None and found.loss.site is not None:
            name, at = _name(trace, taken), produced(trace, taken)
            yield Facts(
                made.site,
                fields={
                    "op": made.op,
                    "actions": name or "actions",
                    "line": found.loss.site.line,
                    "count": values.sizes[1],
                },
                origins=place(trace, at.site if at is not None else None) + place(trace, found.loss.site),
                event=made.index,
                remedy=_picked(trace, made, name),
            )


def _unread(trace: Trace, made: Event, loss: Event, rows: int) -> TensorFact | None:
    """Whole numbers, one for each row, that were put into a tensor shortly before and that nothing reads."""
    for event in trace.events[max(made.index - BEFORE, 0) : loss.index]:
        fact = event.result
        if not isinstance(fact, TensorFact) or event.modules or event.site is None or made.site is None:
            continue
        if event.site.function != made.site.function or not fact.is_whole or fact.sizes not in ((rows,), (rows, 1)):
            continue
        users = descendants(trace, [fact], NEAR).values()
        given = ops.is_a(event.op, "takes_data", "picks", "joins") and not fact.requires_grad
        if given and all(user.op in RESHAPING or ops.is_a(user.op, "casts", "moves") for user in users):
            return fact
    return None


def _name(trace: Trace, taken: TensorFact) -> str:
    """What the function calls the actions."""
    made = produced(trace, taken)
    statement = Source(trace).statement_at(made.site) if made is not None and made.site is not None else None
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _picked(trace: Trace, made: Event, name: str) -> Rewrite | None:
    """The value of the action in place of the largest one."""
    source, site = Source(trace), made.site
    node = source.node_at(site, (ast.Call,)) if site is not None and name else None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or site is None:
        return None
    outer = getattr(node, "parent", None)
    whole = outer if isinstance(outer, (ast.Attribute, ast.Subscript)) and outer.value is node else node
    kept = any(part.arg == "keepdim" for part in node.keywords)
    picked = f"{source.whole(node.func.value, site.file)}.gather(1, {name}.view(-1, 1))"
    return Rewrite(picked if kept else f"{picked}.squeeze(1)", source.site(whole, site.file))


MESSAGES = {
    "en": {
        "message": "the loss uses the largest of the {count} values of each state, not the value of the action taken",
        "why": (
            "the reward and the next state in the target of line {line} follow from the action taken, but nothing "
            "reads {actions}: {op} selects the action with the largest value instead. The values of the other actions "
            "are never trained"
        ),
    },
    "es": {
        "message": "la pérdida usa el mayor de los {count} valores de cada estado, no el valor de la acción tomada",
        "why": (
            "la recompensa y el estado siguiente del objetivo de la línea {line} se deben a la acción tomada, pero "
            "nada lee {actions}: {op} elige la acción de mayor valor. Los valores de las demás acciones nunca se "
            "entrenan"
        ),
    },
    "ja": {
        "message": "損失が、実際に取った行動の価値ではなく、各状態の {count} 個の価値の最大値を使っています",
        "why": (
            "{line} 行目のターゲットの報酬と次の状態は、実際に取った行動の結果です。しかし {actions} はどこでも読まれ"
            "ず、{op} が価値の最も大きい行動を選んでいます。ほかの行動の価値は学習されません"
        ),
    },
}
