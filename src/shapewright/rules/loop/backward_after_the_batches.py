"""The backward pass is after the loop over batches: only the last batch is learned from.

## What it finds
A loop that computes a loss from a model in every iteration and uses it only for reporting, followed by one `backward`
of the loss that the last iteration left behind.

## Why it hurts
All batches but one are computed in vain; an epoch is a single step.

## Example
    for x, y in loader:
        loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

## Instead
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

## Fix safety
Safe where each batch is to be a step. Losses that are added up or kept in a list before `backward` are not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import RESHAPING, TARGET_LOSSES, argument, chain, consumers, maker, operands, root, tensors
from ...graph.scopes import around, enclosing, loop_around
from ...graph.source import Source, walk
from ...graph.training import ancestors, losses, of_kind, place
from ...trace import Event, Site, StepFact, TensorFact, Trace
from ..facts import Facts
from ..loop_remedy import MoveIntoLoop

code = "SW320"
NEAR = 6  # calls between a tensor and the target that is picked of it
RECORDED = 24  # rounds of a loop whose every call is known


def check(trace: Trace) -> Iterator[Facts]:
    """Every `backward` that comes after a loop of losses and uses the last of them."""
    within = {step.loop for step in of_kind(trace, "backward")}
    for step, fact in losses(trace):
        made = trace.event(fact.producer)
        if made is None or made.site is None or made.loop == step.loop or made.loop in within:
            continue
        loop = _loop(trace, made, step)
        if loop is not None and _alone(trace, made):
            yield Facts(
                step.site,
                fields={"line": loop.line, "loss": made.site.line},
                origins=(*place(trace, made.site), *place(trace, loop)),
                remedy=MoveIntoLoop(loop.line),
            )


def _alone(trace: Trace, made: Event) -> bool:
    """Whether the earlier iterations of its loop computed a loss as this one for nothing: on their own and only to be
    read, or with targets of their own and not even read."""
    twins = [e for e in trace.events if e.loop == made.loop and (e.site, e.op) == (made.site, made.op)]
    graded = [event for event in twins if any(part.requires_grad for part in tensors(event.result))]
    if len(graded) < 2 or graded[-1] is not made:
        return False
    users = [user for one in graded[:-1] for user in consumers(trace, one.index)]
    targets = [_target(trace, one) for one in graded[:RECORDED]]
    if not users and len(set(targets) - {None}) == len(targets):
        return True  # each with a target of its own, and none is even read
    begun = next(event.index for event in trace.events if event.loop == made.loop)
    computed = [at for fact in tensors(made.result) for at, one in ancestors(trace, fact).items() if _computes(one)]
    if not any(at >= begun for at in computed):
        return False  # the iterations are over outputs of one forward pass, not over batches
    before = {index for one in graded[:-1] for fact in tensors(one.result) for index in ancestors(trace, fact)}
    own = {index for fact in tensors(made.result) for index in ancestors(trace, fact)}
    return all(ops.is_a(user.op, "cuts", "leaves") for user in users) and all(index < begun for index in before & own)


def _computes(event: Event) -> bool:
    """Whether an operator is part of a forward pass, and no loss of what it gave."""
    return event.op not in TARGET_LOSSES and (bool(event.modules) or ops.is_a(event.op, "contracts"))


def _target(trace: Trace, loss: Event) -> object:
    """What a loss compares with: which tensor, and what was picked of it; nothing where it has no target."""
    given = argument(loss, 1, "target") if loss.op in TARGET_LOSSES else _subtracted(trace, loss)
    if not isinstance(given, TensorFact):
        return None
    made = chain(trace, given, _picks, NEAR)
    cut = tuple(repr(part) for one in made for part in one.args if not isinstance(part, TensorFact))
    return root(trace, given, _picks, NEAR).uid, cut


def _subtracted(trace: Trace, loss: Event) -> TensorFact | None:
    """The data in the one difference that a loss was computed from."""
    made = maker(trace, next(tensors(loss.result)), lambda one: len(operands(one)) == 1, NEAR)
    sides = operands(made) if made is not None and ops.is_a(made.op, "subtracts") else []
    data = [side for side in sides if not side.requires_grad and side.rank]
    return data[0] if len(sides) == 2 and len(data) == 1 else None


def _picks(event: Event) -> bool:
    return event.op in RESHAPING or ops.is_a(event.op, "brackets")


def _loop(trace: Trace, made: Event, step: StepFact) -> Site | None:
    """The `for` that goes on to its end around the making of a loss, and after which a `backward` comes."""
    source = Source(trace)
    after = source.statement_at(step.site)
    for site in reversed(made.stack):
        inner = source.statement_at(site)
        if after is None or inner is None or enclosing(inner) is not enclosing(after):
            continue
        loop = loop_around(inner)
        ends = isinstance(loop, ast.For) and not any(isinstance(part, (ast.Break, ast.Return)) for part in walk(loop))
        if ends and loop_around(loop) is loop_around(after) and loop not in around(after):
            return source.site(loop, site.file)
    return None


MESSAGES = {
    "en": {
        "message": "backward is called after the loop over the batches, so the model learns only from the last batch",
        "why": (
            "the loop on line {line} computes a loss in every iteration (line {loss}), but backward runs only for the "
            "last loss"
        ),
    },
    "es": {
        "message": (
            "backward se llama después del bucle sobre los lotes, así que el modelo solo aprende del último lote"
        ),
        "why": (
            "el bucle de la línea {line} calcula una pérdida en cada iteración (línea {loss}), pero backward solo se "
            "ejecuta con la última"
        ),
    },
    "ja": {
        "message": "backward がバッチのループの後にあるため、最後のバッチしか学習に使われません",
        "why": (
            "{line} 行目のループは毎回損失 ({loss} 行目) を計算しますが、backward が実行されるのは最後の損失だけです"
        ),
    },
}
