"""A policy gradient has the wrong sign: actions that were rewarded become less likely.

## What it finds
A loss that grows with `log_prob * reward`, where an optimizer lowers it: the minus is missing.

## Why it hurts
The policy learns to avoid the rewarded actions.

## Example
    loss = (log_prob * returns).mean()

## Instead
    loss = -(log_prob * returns).mean()

## Fix safety
Safe where the weight is a reward. Where it is a cost, give it a name that says so.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from ... import ops
from ...graph.flow import operands, produced
from ...graph.signs import loss_events, sign_in_loss
from ...graph.source import Source
from ...graph.training import ancestors
from ...lexicon import says
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign
from ..subjects import of_calls

code = "SW291"
aliases = ("reward-pushed-away",)


@of_calls("mul")
def check(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every product of a log-probability and a reward that a loss grows with."""
    ends, source = loss_events(trace), Source(trace)
    if "grad" not in event.flags:
        return
    node = source.node_at(event.site, (ast.BinOp,))
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    for chance, weight in ((node.left, node.right), (node.right, node.left)):
        turned, name = _plain(weight)
        if not says(name, "reward") or not _log_probability(trace, source, event, chance):
            continue
        learning = next(fact for fact in operands(event) if fact.requires_grad)
        if sign_in_loss(trace, event, ends) * turned * _sign(trace, learning) > 0:
            yield Facts(
                event.site,
                fields={"source": source.text(node, event.site.file), "name": name},
                event=event.index,
                remedy=TurnSign(),
            )
        break


def _plain(node: ast.expr) -> tuple[int, str]:
    """`(sign, name)` of an operand, behind a minus, `.detach()` and indices."""
    sign = 1
    while True:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            sign, node = -sign, node.operand
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ops.is_a(node.func.attr, "keeps_values")
        ):
            node = node.func.value
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            return sign, node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _sign(trace: Trace, fact: TensorFact, depth: int = 12) -> int:
    """-1 where a factor of what was computed is negated on the way (`-rho * dist.log_prob(a)`, `nlp = -log_prob`)."""
    made = produced(trace, fact)
    if made is None or not depth:
        return 1
    signs = [_sign(trace, part, depth - 1) for part in operands(made)]
    if made.op == "neg":
        return -signs[0]
    if ops.is_a(made.op, "scales"):
        return math.prod(signs) * (-1 if any(isinstance(part, (int, float)) and part < 0 for part in made.args) else 1)
    return signs[0] if len(signs) == 1 and ops.is_a(made.op, "keeps_values") else 1


def _log_probability(trace: Trace, source: Source, event: Event, node: ast.expr) -> bool:
    """Whether an operand is the log-probability of something that was drawn."""
    text = ast.unparse(node)
    learning = [fact for fact in operands(event) if fact.requires_grad]
    if len(learning) != 1 or says(text, "not_a_log_probability"):
        return False
    if not (says(_plain(node)[1], "log_probability") or says(text, "log_probability")):
        return False
    made = ancestors(trace, learning[0], 400).values()
    return not any(
        ops.is_a(other.op, "classifies", "exponentials")
        and other.site is not None
        and event.site is not None
        and other.site.line == event.site.line
        for other in made
    )


MESSAGES = {
    "en": {
        "message": "the loss grows with `{source}`: rewarded actions become less likely",
        "why": (
            "without maximize=True, an optimizer minimizes its loss. {name} should increase, so this product needs a "
            "minus sign"
        ),
    },
    "es": {
        "message": "la pérdida crece con `{source}`: las acciones recompensadas se vuelven menos probables",
        "why": (
            "sin maximize=True, un optimizador minimiza su pérdida. {name} debe aumentar, así que este producto "
            "necesita un signo menos"
        ),
    },
    "ja": {
        "message": "`{source}` が増えると損失が増えるため、報酬を得た行動ほど選ばれにくくなります",
        "why": (
            "maximize=True でないオプティマイザは損失を最小化します。{name} は大きくしたい値なので、この積にはマイナス"
            "が必要です"
        ),
    },
}
