"""Other versions of what a model learns from, disturbed by noise or along a gradient, that a script makes and does not
use. Pure: it reads a `Trace` and judges nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .. import ops
from ..dataclass import dataclass
from ..trace import Binding, Event, Site, TensorFact, Trace
from .flow import consumers, operands, produced, tensors
from .ledger import ledger
from .scopes import enclosing, target_name
from .source import Source, walk
from .training import answers, of_kind

FAR = 400  # events behind a version


@dataclass(frozen=True)
class Version:
    """`name`, bound at `site`, is a version of what is given, as `given`, to `model` at `call` in its place."""

    site: Site
    name: str
    given: str
    model: int
    call: Site


def unread_versions(trace: Trace) -> Iterator[Version]:
    """Every such version."""
    source, book = Source(trace), ledger(trace)
    learned = [
        (step, next(tensors(step.data["args"]), None))
        for step in of_kind(trace, "forward")
        if step.data["grad"] and step.site is not None and answers(step) & book.learned
    ]
    for binding in trace.bound if learned else ():
        statement, fact = source.statement_on(binding.site.file, binding.site.line), binding.fact
        made = produced(trace, fact)
        if made is None or made.modules or fact.rank < 2 or fact.requires_grad:
            continue
        used = any(user.index > made.index for user in consumers(trace, made.index))
        if used or not _unread(source, statement, binding):
            continue
        behind = _behind(trace, made)
        known = {part.uid for event in behind for part in operands(event)} - {0}
        for step, given in learned:
            if given is None or given.uid not in known or given.shape != fact.shape:
                continue
            if step.iteration != made.iteration:
                continue
            if step.data["at"] > made.index and _disturbs(behind, given) and step.site is not None:
                yield Version(binding.site, binding.name, given.name, step.data["module"], step.site)
                break


def _unread(source: Source, statement: ast.stmt | None, binding: Binding) -> bool:
    """Whether a call's result is bound to a name that nothing in the function, or in the script, reads."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    name = target_name(target) if target is not None else ""
    if not isinstance(statement, ast.Assign) or not name.isidentifier() or name.startswith("_"):
        return False
    if not isinstance(statement.value, ast.Call):
        return False
    scope = enclosing(statement) or source.tree(binding.site.file)
    return not any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load) for one in walk(scope)
    )


def _behind(trace: Trace, made: Event) -> list[Event]:
    """What a version was made by, outside of models, up to the gradients that it follows."""
    found, queue = dict[int, Event](), [made]
    while queue and len(found) < FAR:
        event = queue.pop()
        found[event.index] = event
        parts = operands(event) if event.op != "grad" else []
        before = (trace.event(part.producer) for part in parts if part.producer not in found)
        queue += [one for one in before if one is not None and not one.modules]
    return list(found.values())


def _disturbs(behind: list[Event], given: TensorFact) -> bool:
    """Whether something of the shape of what is given was drawn, or is a gradient: a tensor that nothing made."""
    for event in behind:
        if ops.is_a(event.op, "draws") and isinstance(event.result, TensorFact) and event.result.shape == given.shape:
            return True
        if event.op == "grad" or any(_gradient(part, given) for part in operands(event)):
            return True
    return False


def _gradient(part: TensorFact, given: TensorFact) -> bool:
    return part.shape == given.shape and part.producer < 0 and part.kind == "tensor" and part.uid > given.uid
