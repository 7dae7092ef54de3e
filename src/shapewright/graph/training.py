"""Reads the landmarks of training loops for the rules: what an optimizer's steps had to work with, what a loss was
computed from.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

from .. import ops
from ..trace import Event, LoopFact, ModuleFact, Origin, Site, StepFact, TensorFact, Trace
from .calls import called
from .flow import chain, consumers, operands, tensors, written
from .probed import line_of
from .scopes import around
from .source import Source, walk

LOOPS = (ast.For, ast.While, ast.AsyncFor)
FLOATING = ("float", "bfloat", "complex")
LIKE_INPUT = ops.named("like_input")  # whose results hold no value of what they are called on
PASSING = frozenset(
    {
        "stack",
        "getitem",
        "cat",
        "index_select",
        "select",
        "to",
        "float",
        "long",
        "double",
        "int",
        "type",
        "clone",
        "detach",
        "contiguous",
        "unsqueeze",
        "squeeze",
        "view",
        "reshape",
        "flatten",
        "unbind",
        "permute",
        "transpose",
        "split",
        "as_tensor",
        "alias",
        "expand",
        "resolve_conj",
        "pad_sequence",
        "new_tensor",
        "iter",
    }
)


def place(trace: Trace, site: Site | None, kind: str = "unknown") -> tuple[Origin, ...]:
    """A line that has to do with a fault, as an origin; nothing where there is no line."""
    return (Origin(kind, line_of(trace, site), site),) if site is not None else ()


def of_kind(trace: Trace, *kinds: str) -> Iterator[StepFact]:
    """The landmarks of these kinds, in order."""
    return (step for step in trace.steps if step.kind in kinds)


def losses(trace: Trace) -> Iterator[tuple[StepFact, TensorFact]]:
    """Every `backward` with each tensor that it started from."""
    for step in of_kind(trace, "backward"):
        for fact in tensors(step.data.get("loss")):
            yield step, fact


def stepping(trace: Trace, backward: StepFact) -> set[int]:
    """The optimizers that step between a `backward` and the next one."""
    after = itertools.takewhile(lambda step: step.kind != "backward", trace.steps[backward.index + 1 :])
    return {step.data["optimizer"] for step in after if step.kind == "step"}


def learned(trace: Trace) -> frozenset[int]:
    """The events that made what some `backward` began at."""
    return frozenset(fact.producer for _, fact in losses(trace) if fact.producer >= 0)


def answers(step: StepFact) -> set[int]:
    """The events that made what an outermost module returned."""
    return {fact.producer for fact in tensors(step.data["result"]) if fact.producer >= 0}


def all_before(trace: Trace, events: Iterable[int], learning: bool = False) -> set[int]:
    """The recorded ones of some events and all that they were computed from, by index; `learning`: through what carries
    gradients alone."""
    found: set[int] = set()
    queue = [*events]
    while queue:
        index = queue.pop()
        if 0 <= index < len(trace.events) and index not in found:
            found.add(index)
            given = (part for part in operands(trace.events[index]) if part.requires_grad or not learning)
            queue.extend(part.producer for part in given if part.producer < index)
    return found


def ancestors(trace: Trace, fact: TensorFact, limit: int = 4000, numbers: bool = False) -> dict[int, Event]:
    """The recorded events that a tensor was computed from, by index; also what was written into places of it. With
    `numbers`, those that a gradient could come back to: no index or truth lies between."""
    found: dict[int, Event] = {}
    queue = [fact.producer]
    events, count, fills = trace.events, len(trace.events), written(trace)
    while queue and len(found) < limit:
        index = queue.pop()
        if 0 <= index < count and index not in found:
            event = found[index] = events[index]
            for part in event.given[event.op in LIKE_INPUT :]:
                if part.producer < index and (not numbers or part.dtype.startswith(FLOATING)):
                    queue.append(part.producer)
                    if part.producer in fills:
                        queue += [one.index for one in fills[part.producer] if one.index < index]
    return found


def descendants(trace: Trace, facts: list[TensorFact], limit: int = 600) -> dict[int, Event]:
    """The recorded events that were computed from some tensors, nearest first; what is written into a tensor goes where
    the tensor goes."""
    found: dict[int, Event] = {}
    queue = [(fact.producer, fact.producer) for fact in facts if fact.producer >= 0]
    seen = {index for index, _ in queue}
    while queue and len(found) < limit:
        index, after = queue.pop(0)
        for event in consumers(trace, index):
            likened = event.op in LIKE_INPUT and all(part.producer != index for part in event.given[1:])
            if event.index > after and event.index not in seen and not likened:
                seen.add(event.index)
                found[event.index] = event
                queue.append((event.index, event.index))
                if event.op == "setitem" and event.given[0].producer >= 0:
                    queue.append((event.given[0].producer, event.index))
    return found


def handed_on(trace: Trace, fact: TensorFact | None, most: int = 3) -> list[Site]:
    """The lines that a tensor passed on its way to a call, the last first: collated, picked and converted, back to the
    operator that made its values."""
    found: list[Site] = []
    for event in chain(trace, fact, lambda made: made.op in PASSING, 12):
        if event.site is not None and all(
            (site.file, site.line) != (event.site.file, event.site.line) for site in found
        ):
            found.append(event.site)
    return found[-most:]


def made_at(trace: Trace, fact: TensorFact | None, but: Site | None = None, most: int = 8) -> tuple[Origin, ...]:
    """The user's lines that a tensor was made and filled by, the nearest first, the line of `but` left out: also where
    a library handed it on, such as labels of a collate function to a model."""
    sites: dict[tuple[str, int], Site] = {}
    made = sorted(ancestors(trace, fact, 60).items(), reverse=True) if fact is not None else []
    held = {getattr(event.result, "uid", 0) for _, event in made} - {0}
    fills = [event for event in trace.events if event.op == "setitem" and operands(event)[0].uid in held]
    for event in (*(event for _, event in made), *fills):
        if event.site is not None:
            sites.setdefault((event.site.file, event.site.line), event.site)
    if but is not None:
        sites.pop((but.file, but.line), None)
    return tuple(origin for site in list(sites.values())[:most] for origin in place(trace, site))


def outer(site: Site | None, stack: tuple[Site, ...]) -> Site | None:
    """The user's line that called into the function in which `site` stands, if there is one."""
    return stack[-2] if len(stack) > 1 else None


def constructed(trace: Trace, module: ModuleFact, beside: Site) -> Site | None:
    """Where a module was constructed in the function in which a place is; else the innermost line that constructed
    it."""
    source = Source(trace)
    scope = source.function_at(beside)
    here = (site for site in reversed(module.stack) if site.file == beside.file and source.function_at(site) is scope)
    return next(here, module.site)


def built(trace: Trace, site: Site) -> Site:
    """Where the parameters that the optimizer at `site` was given were gathered: the statement that bound the list, or
    the optimizer's own line."""
    source = Source(trace)
    call = source.node_at(site, (ast.Call,))
    given = call.args[0] if isinstance(call, ast.Call) and call.args else None
    bound = source.bound_before(site, given.id) if isinstance(given, ast.Name) else None
    return source.site(bound, site.file) if bound is not None else site


def gathered(trace: Trace, site: Site) -> Iterator[Site]:
    """The statements that change what the one at `site` bound: methods called on it for nothing, parts that are set."""
    source = Source(trace)
    bound = source.statement_on(site.file, site.line)
    if bound is not None:
        names = {part.id for part in walk(bound) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        yield from (source.site(node, site.file) for node in _changing(source.nodes(site.file), names) if node != bound)


def gathered_by_call(trace: Trace, site: Site) -> Iterator[Site]:
    """The statements of the functions that the one at `site` calls that change what these return."""
    source = Source(trace)
    for function in called(source, site.file, source.statement_on(site.file, site.line)):
        returns = (node for node in walk(function) if isinstance(node, ast.Return))
        names = {part.id for node in returns for part in walk(node) if isinstance(part, ast.Name)}
        yield from (source.site(node, site.file) for node in _changing(walk(function), names))


def _changing(nodes: Iterable[ast.AST], names: set[str]) -> Iterator[ast.stmt]:
    """The statements that call a method of something named for nothing, or set a part of it."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed: ast.AST = node.value.func
        elif isinstance(node, (ast.AugAssign, ast.Assign)):
            changed = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        else:
            continue
        while isinstance(changed, (ast.Attribute, ast.Subscript)):
            changed = changed.value
        if isinstance(changed, ast.Name) and changed.id in names:
            yield node


def loop_of(trace: Trace, uid: int) -> LoopFact | None:
    """The loop with this uid, if it is told of."""
    return next((loop for loop in trace.loops if loop.uid == uid), None)


def loops_of(trace: Trace, uid: int) -> Iterator[LoopFact]:
    """The loop with this uid and those that it runs in, the innermost first, as far as they are told of."""
    while (loop := loop_of(trace, uid)) is not None:
        yield loop
        uid = loop.parent


def drawn_anew(trace: Trace, event: Event) -> bool:
    """Whether a call draws numbers in the very loop in which a run failed, whose data come from elsewhere: noise, of
    which the author chose the size as that of a layer."""
    failed = trace.failure.event if trace.failure is not None else None
    own = failed.loop if failed is not None else -1
    within = {own, *(loop.uid for loop in loops_of(trace, own))} - {-1}
    wide = any(fact.rank > 1 for fact in tensors(event.result))  # else one number for each sample
    if event.loop not in within or event.modules or not wide or not ops.is_a(event.op, "draws"):
        return False
    apart = (one for one in trace.events if one.loop == -1 and not one.modules and ops.is_a(one.op, "draws"))
    return bool(trace.data.batch_sizes) or any(fact.rank > 1 for one in apart for fact in tensors(one.result))


def stepped_after(trace: Trace, own: frozenset[int]) -> bool:
    """Whether an optimizer takes a step after gradients of some parameters were computed, before another one is made:
    else the gradients were only looked at."""
    reached = False
    for step in trace.steps:
        reached = reached or (step.kind == "backward" and not own.isdisjoint(step.data.get("grads", ())))
        if reached and step.kind == "step":
            return True
        reached = reached and step.kind != "optimizer"
    return False


def stepped_beside(trace: Trace, lost: frozenset[int]) -> Site | None:
    """Where the optimizer was made that stepped most often after a backward that reached what is lost and what it
    holds."""
    made = [step for step in of_kind(trace, "optimizer") if step.site is not None and step.data.get("held")]
    missed = [(beside - alone, step.site) for step in made for alone, beside in [misses(trace, step, lost)]]
    count, site = max(missed, key=lambda one: one[0], default=(0, None))
    return site if count else None


def misses(trace: Trace, optimizer: StepFact, lost: frozenset[int]) -> tuple[int, int]:
    """How often its step came after a backward that reached the forgotten model, alone and beside its own."""
    reached: set[int] = set()
    alone = beside = 0
    for step in trace.steps:
        if step.kind == "backward":
            reached |= set(step.data.get("grads", ()))
        elif step.kind == "step":
            if step.data["optimizer"] == optimizer.data["optimizer"] and reached & lost:
                alone, beside = alone + reached.isdisjoint(optimizer.data["held"]), beside + 1
            reached = set()
    return alone, beside


def steps_by_hand(trace: Trace, source: Source) -> set[int]:
    """The loops in which a script without `backward` asks for gradients, to make its own steps."""
    asked = (event for event in trace.events if event.site is not None and ops.is_a(event.op, "differentiates"))
    return set().union(*(loops_around(source, event) for event in asked))


def loops_around(source: Source, event: Event) -> set[int]:
    """The loops around the statement of an event."""
    statement = source.statement_at(event.site) if event.site is not None else None
    return {id(outer) for outer in around(statement) if isinstance(outer, LOOPS)} if statement is not None else set()
