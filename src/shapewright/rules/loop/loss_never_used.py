"""A loss is computed, and overwritten before anything uses it.

## What it finds
A differentiable number, computed from parameters that are trained, that no `backward` descends from and nothing reads:
the next statement gives its name to another one, or no statement ever reads the name.

## Why it hurts
What it should teach is never learned: a discriminator sees only generated samples, a penalty is computed and not added.

## Example
    loss = criterion(d(real), ones)
    loss = criterion(d(fake.detach()), zeros)
    loss.backward()

## Instead
    loss = criterion(d(real), ones) + criterion(d(fake.detach()), zeros)

## Fix safety
Only a person can tell whether the two belong in one sum.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...graph.flow import consumers
from ...graph.ledger import ledger
from ...graph.source import Source
from ...graph.training import ancestors, losses, of_kind, place
from ...trace import Event, Site, TensorFact, Trace
from ..facts import Facts

code = "SW343"
slug = "loss-never-used"
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)


def check(trace: Trace) -> Iterator[Facts]:
    """Every statement that bound such a number each time it ran."""
    book, source = ledger(trace), Source(trace)
    if not any(of_kind(trace, "step")):
        return
    used: set[int] = set()
    for _, loss in losses(trace):
        used |= ancestors(trace, loss).keys()
    loops = {step.loop for step in of_kind(trace, "backward")}
    idle: dict[Site, Event] = {}
    lively: set[Site] = set()
    for event in trace.events:
        result = event.result
        if not isinstance(result, TensorFact) or result.shape != () or not result.requires_grad or event.site is None:
            continue
        if event.index in used or consumers(trace, event.index) or event.loop not in loops:
            lively.add(event.site)
        elif "grad" in event.flags and book.learners(result) & book.stepped:
            idle.setdefault(event.site, event)
    for site, event in idle.items():
        found = _dead(source, site) if site not in lively else None
        if found is not None:
            name, again = found
            yield Facts(
                site,
                message="message" if again else "unread",
                why="why" if again else "unread_why",
                fields={"name": name, "line": again.line if again else 0},
                origins=place(trace, again),
                severity="error" if again else "warning",
                event=event.index,
            )


def _dead(source: Source, site: Site) -> tuple[str, Site | None] | None:
    """`(name, where it is bound again)` of a statement whose value nothing reads before that, `None` where something
    may; no second place where the name is read nowhere."""
    statement = source.statement_at(site)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return None
    parent = statement.parent
    block = next((b for n in ("body", "orelse", "finalbody") if statement in (b := getattr(parent, n, ()) or ())), [])
    for later in block[block.index(statement) + 1 :] if block else ():
        names = [part for part in ast.walk(later) if isinstance(part, ast.Name) and part.id == target.id]
        if any(isinstance(part.ctx, ast.Load) for part in names) or (isinstance(later, ast.AugAssign) and names):
            return None
        if names:
            plain = isinstance(later, ast.Assign) and later.targets[0] is names[0]
            return (target.id, source.site(later, site.file)) if plain else None
    scope = parent
    while not isinstance(scope, SCOPES):
        scope = scope.parent
    read = any(
        isinstance(part, ast.Name) and part.id == target.id and isinstance(part.ctx, ast.Load)
        for part in ast.walk(scope)
    )
    return None if read else (target.id, None)


MESSAGES = {
    "en": {
        "message": "{name} is overwritten on line {line} before backward: this loss trains nothing",
        "why": "its gradients would reach trained parameters, but nothing reads it before that line",
        "unread": "{name} is a loss that nothing uses",
        "unread_why": (
            "its gradients would reach trained parameters, but it is neither added to a loss nor differentiated"
        ),
    },
    "es": {
        "message": "{name} se sobrescribe en la línea {line} antes de backward: esta pérdida no entrena nada",
        "why": "sus gradientes llegarían a parámetros que se entrenan, pero nada la lee antes de esa línea",
        "unread": "{name} es una pérdida que nada usa",
        "unread_why": (
            "sus gradientes llegarían a parámetros que se entrenan, pero no se suma a ninguna pérdida ni se llama a su "
            "backward"
        ),
    },
    "ja": {
        "message": "{name} は backward の前に {line} 行目で上書きされ、この損失は学習に使われません",
        "why": "勾配は学習中のパラメータへ届くはずですが、その行より前で読み出されません",
        "unread": "損失 {name} がどこでも使われていません",
        "unread_why": "勾配は学習中のパラメータへ届くはずですが、損失に加えられず、微分もされません",
    },
}
