"""The training loss decides which model is kept, when training stops or when the learning rate falls, though a
validation value is computed beside it.

## What it finds
`if value < best:` with `best = value` below it and something that is kept, counted or left there, or a
`ReduceLROnPlateau` that is given `value`, where `value` is made of the very losses that `backward` began at; and no
number that a model gave without gradients in the same loop decides the same.

## Why it hurts
The training loss can go on falling while the model overfits: then the last, most overfitted model is taken for the
best, or training does not stop early.

## Example
    train_loss, val_loss = train(model), evaluate(model)
    if train_loss < best:
        best = train_loss
        torch.save(model.state_dict(), "best.pt")

## Instead
    if val_loss < best:
        best = val_loss

## Fix safety
Nothing is reported where a value of an evaluation decides the same, or where none is computed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ... import ops
from ...graph.flow import numbers_behind, operands
from ...graph.scopes import pairs, parameters_of, statement_of
from ...graph.source import Source, walk
from ...graph.training import ancestors, learned, loops_of, of_kind, place
from ...trace import Event, HostFact, Site, Trace
from ..facts import Facts
from ..loop_remedy import UseOther

code = "SW357"
READ = frozenset({"item", "hits"})  # how a number leaves the tensors
MOST = 400
LEAVING = (ast.Break, ast.Return, ast.AugAssign, ast.Continue)


def check(trace: Trace) -> Iterator[Facts]:
    """Every choice by a training loss, of a script that no evaluation decides anything in."""
    compared = [fact for fact in trace.host if fact.op == "compare" and fact.site is not None]
    if not compared:
        return
    source, roots = Source(trace), learned(trace)
    by: dict[tuple[bool, bool], list[HostFact]] = {}
    for fact in compared:
        kinds = {_trained(trace, event, roots) for event in _read(trace, fact)}
        if (fact.kind or _kept(source, fact)) and (False in kinds or kinds == {True}):
            by.setdefault((bool(fact.kind), False not in kinds), []).append(fact)
    told = [(fact, waits) for waits in (False, True) if (waits, False) not in by for fact in by.get((waits, True), ())]
    evaluated = _evaluated(trace, [fact for fact, _ in told], roots) if told else None
    for fact, waits in told:
        if evaluated is None or fact.site is None:
            continue
        first = next(iter(_read(trace, fact)))
        site = _handed_in(source, fact) or fact.site
        yield Facts(
            site,
            message="waits" if waits else "message",
            fields={"text": source.site_text(site), "line": first.site.line if first.site else 0},
            origins=place(trace, fact.site if site != fact.site else None)
            + place(trace, evaluated.site)
            + place(trace, first.site),
            severity="warning",
            remedy=_judging(trace, source, site, evaluated),
        )


def _handed_in(source: Source, fact: HostFact) -> Site | None:
    """The call that handed a function the value which that function compares."""
    function = source.function_at(fact.site) if fact.site is not None and fact.caller is not None else None
    node = source.node_at(fact.site, (ast.Compare,)) if function is not None else None
    if not isinstance(node, ast.Compare) or function is None or fact.caller == fact.site:
        return None
    given = {part.id for side in (node.left, *node.comparators) for part in walk(side) if isinstance(part, ast.Name)}
    own = parameters_of(function)[isinstance(getattr(function, "parent", None), ast.ClassDef) :]
    for bound in (part for part in walk(function) if isinstance(part, ast.Assign)):
        if any(isinstance(part, ast.Name) and part.id in given for part in bound.targets):
            given |= {part.id for part in walk(bound.value) if isinstance(part, ast.Name)}
    return fact.caller if given & set(own) and source.call_at(fact.caller) is not None else None


def _judging(trace: Trace, source: Source, site: Site, evaluated: Event) -> UseOther | None:
    """The number of the evaluation in place of the one that is compared or handed over: what the line binds that asked
    for it; a guess where that binds several, or where it is no loss."""
    node = source.node_at(site, (ast.Compare, ast.Call))
    read = node.left if isinstance(node, ast.Compare) else node.args[0] if isinstance(node, ast.Call) else None
    loss = any(ops.is_a(one.op, "targets") for one in ancestors(trace, operands(evaluated)[0], 60).values())
    for asked in (*evaluated.stack, evaluated.site):
        same = asked is not None and asked.function == site.function
        bound = source.statement_on(asked.file, asked.line) if asked is not None and same else None
        if not isinstance(bound, ast.Assign) or not isinstance(read, ast.Name):
            continue
        held = (one for one, part in pairs(bound) if part.col_offset < asked.column <= (part.end_col_offset or 0))
        target = next(held, bound.targets[0])
        names = tuple(one.id for one in walk(target) if isinstance(one, ast.Name) and one.id != read.id)
        return UseOther(read.id, names, guessed=not loss or len(names) > 1) if names else None
    return None


def _read(trace: Trace, fact: HostFact) -> list[Event]:
    """Where the numbers were read from tensors that the first of two compared ones, or else the second, is made of."""
    sides = ([one.event for one in numbers_behind(trace, part, MOST) if one.op == "item"] for part in fact.parents)
    read = ([event for index in side if (event := trace.event(index)) is not None] for side in sides)
    return next((events for events in read if events), [])


def _trained(trace: Trace, event: Event, roots: frozenset[int]) -> bool | None:
    """Whether a number is read from a loss that `backward` began at; `False` where a model had to do with it all the
    same."""
    before = ancestors(trace, operands(event)[0], 60) if operands(event) else {}
    if not roots.isdisjoint(before):
        return True
    return False if any(one.modules and one.op != "parameter" for one in before.values()) else None


def _kept(source: Source, fact: HostFact) -> bool:
    """Whether a comparison is the test of a branch that takes the one value for the other, and keeps or ends
    something."""
    assert fact.site is not None
    node = source.node_at(fact.site, (ast.Compare,))
    guard = statement_of(node) if node is not None else None
    if not isinstance(node, ast.Compare) or len(node.comparators) != 1 or not isinstance(guard, ast.If):
        return False
    sides = {ast.unparse(node.left), ast.unparse(node.comparators[0])}
    taken = any({ast.unparse(one), ast.unparse(other)} == sides for part in guard.body for one, other in pairs(part))
    rest = [one for one in (*guard.body, *guard.orelse) if not isinstance(one, ast.Pass)]
    acts = any(isinstance(part, LEAVING) for one in rest for part in walk(one)) or any(
        isinstance(part, ast.Call) and getattr(part.func, "id", "") != "print"
        for one in guard.body
        for part in walk(one)
    )
    return taken and acts


def _evaluated(trace: Trace, chosen: list[HostFact], roots: frozenset[int]) -> Event | None:
    """A number that was read of what a model gave without gradients, of other data, in the loops in which it is
    chosen."""
    iterations, loops = {fact.iteration for fact in chosen}, {fact.loop for fact in chosen}
    loaders = trace.data.loaders
    if loaders and not any(one["judged"] and not one["trained"] for one in loaders):
        return None
    trained = {fact.uid for step in of_kind(trace, "forward") if step.data["grad"] for fact in _given(step.data)}
    apart = any(
        not step.data["grad"] and not trained & {fact.uid for fact in _given(step.data)}
        for step in of_kind(trace, "forward")
    )
    for fact in trace.host:
        if apart and fact.op in READ and 0 <= fact.event < len(trace.events):
            event = trace.events[fact.event]
            beside = event.iteration in iterations and event.iteration > 0 and _within(trace, event, loops)
            if beside and _trained(trace, event, roots) is False:
                return event
    return None


def _within(trace: Trace, event: Event, loops: set[int]) -> bool:
    """Whether a call was made in one of some loops, or nothing tells of them: what comes after the last one chooses
    nothing any more."""
    return -1 in loops or any(loop.uid in loops for loop in loops_of(trace, event.loop))


def _given(data: dict) -> list:
    return [fact for fact in data["args"] if hasattr(fact, "uid")] if isinstance(data["args"], tuple) else []


MESSAGES = {
    "en": {
        "message": "`{text}` decides by the training loss, although a validation value is computed",
        "waits": (
            "`{text}` lowers the learning rate according to the training loss, although a validation value is computed"
        ),
        "why": (
            "the value used here comes from the losses of line {line}, which are training losses; no value computed "
            "without gradients, as in validation, is used for this decision"
        ),
    },
    "es": {
        "message": "`{text}` decide según la pérdida de entrenamiento, aunque se calcula un valor de validación",
        "waits": (
            "`{text}` baja la tasa de aprendizaje según la pérdida de entrenamiento, aunque se calcula un valor de "
            "validación"
        ),
        "why": (
            "el valor que se usa aquí viene de las pérdidas de la línea {line}, que son de entrenamiento; para esta "
            "decisión no se usa ningún valor calculado sin gradientes, como en la validación"
        ),
    },
    "ja": {
        "message": "検証の値を計算しているのに、`{text}` は学習時の損失で判断しています",
        "waits": "検証の値を計算しているのに、`{text}` は学習時の損失で学習率を下げています",
        "why": (
            "ここで使われる値は {line} 行目の損失、つまり学習時の損失から求められています。"
            "検証のように勾配なしで計算された値は、この判断に使われていません"
        ),
    },
}
