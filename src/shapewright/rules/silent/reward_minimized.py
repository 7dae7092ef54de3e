"""A policy gradient has the wrong sign: actions that were rewarded become less likely.

## What it finds
A loss that grows with `log_prob * reward`, where an optimizer lowers it: the minus is missing. Also a policy that is
trained to lower the value of its own actions, as told by a network that learns the discounted sum of what the script
calls a reward, while no other policy raises that value.

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
from ...graph.advantages import worth
from ...graph.bootstrap import Bootstrap, bootstraps
from ...graph.carried import likely
from ...graph.flow import operands, produced
from ...graph.ledger import ledger
from ...graph.opposition import pulls
from ...graph.signs import loss_events, sign_in_loss
from ...graph.source import Source, walk
from ...graph.training import ancestors, place
from ...lexicon import says
from ...trace import Event, TensorFact, Trace
from ..facts import Facts
from ..remedy import TurnSign
from ..subjects import of_calls

code = "SW291"
of_any_rank = True
aliases = ("reward-pushed-away",)


def check(trace: Trace) -> Iterator[Facts]:
    """Every reward that a loss grows with, and every value of a policy's own actions."""
    yield from _weighted(trace)
    yield from _valued(trace)


def _valued(trace: Trace) -> Iterator[Facts]:
    """Every policy whose loss grows with what a network that learns rewards says of its actions."""
    book, learned = ledger(trace), list(bootstraps(trace))
    found = [pull for pull in pulls(trace) if pull.makers & pull.taught] if learned else []
    for critic in dict.fromkeys(pull.critic for pull in found):
        own = book.networks[critic]
        made = next((one for one in learned if own & book.learners(one.value) and _reward(trace, one)), None)
        mine = [pull for pull in found if pull.critic == critic and not pull.taught & own]
        wrong = next((pull for pull in mine if pull.event.site is not None), None)
        if made is None or wrong is None or any(pull.sign < 0 for pull in mine):
            continue
        term = _summed(trace, wrong.event)
        yield Facts(
            term.site,
            message="valued",
            why="why_valued",
            fields={"model": trace.modules[critic].kind, "line": made.loss.site.line if made.loss.site else 0},
            origins=(*place(trace, made.made.site), *place(trace, made.loss.site)),
            severity="warning",  # an opponent may want it so
            event=term.index,
            remedy=TurnSign() if sum(1 for fact in operands(term) if fact.requires_grad) == 1 else None,
        )
        return


def _summed(trace: Trace, event: Event) -> Event:
    """What a mean or a sum was taken of, where that is written out on a line of its own."""
    inner = produced(trace, operands(event)[0]) if ops.is_a(event.op, "totals") and operands(event) else None
    return inner if inner is not None and inner.site is not None and not inner.modules else event


def _reward(trace: Trace, found: Bootstrap) -> bool:
    """Whether words say that what is added to the value of the next state is a reward."""
    node = Source(trace).node_at(found.made.site, (ast.BinOp,))
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    added = [
        side
        for side, part in zip(sides, found.made.args)
        if not isinstance(part, TensorFact) or part.uid != found.ahead.uid
    ]
    return any(says(name, "reward") for side in added for name in _named(side))


def _named(side: ast.expr) -> Iterator[str]:
    """What a term is called: as it is written, and by the fields and keys that it is read from."""
    yield ast.unparse(side)
    for node in walk(side):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@of_calls("mul")
def _weighted(trace: Trace, event: Event) -> Iterator[Facts]:
    """Every product of a log-probability and a reward that a loss grows with."""
    ends, source = loss_events(trace), Source(trace)
    if "grad" not in event.flags:
        return
    node = source.node_at(event.site, (ast.BinOp,))
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return
    for chance, weight in ((node.left, node.right), (node.right, node.left)):
        turned, name = _plain(weight)
        named = says(name, "reward") and _log_probability(trace, source, event, chance)
        if not named and not (_outdone(trace, event) and (weight is node.left) != operands(event)[0].requires_grad):
            continue
        learning = next(fact for fact in operands(event) if fact.requires_grad)
        own = turned * _sign(trace, learning) * worth(trace, _weight(event))
        if sign_in_loss(trace, event, ends) * own > 0:
            yield Facts(
                event.site,
                fields={
                    "source": source.text(node, event.site.file),
                    "name": name or source.text(weight, event.site.file),
                },
                event=event.index,
                remedy=TurnSign(),
            )
        break


def _outdone(trace: Trace, event: Event) -> bool:
    """Whether a likelihood is weighted, whatever the two are called, by what a network says less what it is trained to
    say."""
    given = operands(event)
    learning = [fact for fact in given if fact.requires_grad]
    if len(given) != 2 or len(learning) != 1 or worth(trace, _weight(event)) > 0:
        return False
    before = ancestors(trace, learning[0], 60).values()
    return likely(trace, learning[0]) and not any(ops.is_a(one.op, "classifies") for one in before)


def _weight(event: Event) -> TensorFact | None:
    return next((fact for fact in operands(event) if not fact.requires_grad), None)


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
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.Div)):
            node = node.left  # a baseline, or a deviation, is taken from it
        else:
            return sign, node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _sign(trace: Trace, fact: TensorFact, depth: int = 12) -> int:
    """-1 where a factor of what was computed is negated on the way (`-rho * dist.log_prob(a)`, `nlp = -log_prob`)."""
    made = produced(trace, fact)
    if made is None or not depth:
        return 1
    signs = [_sign(trace, part, depth - 1) for part in operands(made)]
    if made.op == "neg":
        cost = produced(trace, operands(made)[0])
        return 1 if cost is not None and ops.is_a(cost.op, "losses") else -signs[0]  # that is a log-probability itself
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
        "valued": "this loss trains the policy to lower the value that {model} gives its actions",
        "why_valued": (
            "the loss on line {line} trains {model} to predict the discounted sum of rewards; without maximize=True, "
            "an optimizer minimizes its loss, so this value needs a minus sign"
        ),
    },
    "es": {
        "message": "la pérdida crece con `{source}`: las acciones recompensadas se vuelven menos probables",
        "why": (
            "sin maximize=True, un optimizador minimiza su pérdida. {name} debe aumentar, así que este producto "
            "necesita un signo menos"
        ),
        "valued": "esta pérdida entrena a la política para bajar el valor que {model} da a sus acciones",
        "why_valued": (
            "la pérdida de la línea {line} entrena a {model} para predecir la suma descontada de recompensas; sin "
            "maximize=True, un optimizador minimiza su pérdida, así que este valor necesita un signo menos"
        ),
    },
    "ja": {
        "message": "`{source}` が増えると損失が増えるため、報酬を得た行動ほど選ばれにくくなります",
        "why": (
            "maximize=True でないオプティマイザは損失を最小化します。{name} は大きくしたい値なので、この積にはマイナス"
            "が必要です"
        ),
        "valued": "この損失は、{model} が方策の行動に付ける価値を下げるように方策を学習させます",
        "why_valued": (
            "{line} 行目の損失は、割り引いた報酬の和を予測するように {model} を学習させます。maximize=True でないオプテ"
            "ィマイザは損失を最小化するので、この価値にはマイナスが必要です"
        ),
    },
}
