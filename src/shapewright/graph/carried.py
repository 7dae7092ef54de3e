"""Where a script carries a number from step to step, and in which order of time products are made.

Pure: it reads a `Trace`. It judges nothing.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from .. import ops
from ..trace import EpisodeSums, Event, Origin, RunningSum, Site, TensorFact, Trace
from .flow import operands, produced
from .recurrence import method, recursion
from .source import Source, parsed, walk
from .training import ancestors, place

LOOPS = (ast.For, ast.While)
LIKELIHOODS = frozenset({"log_softmax", "logsumexp", "logsigmoid", "log", "softplus"})
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)


def carrier(trace: Trace, site: Site | None) -> tuple[ast.For | ast.While | None, ast.stmt | None]:
    """The innermost loop that carries a number from step to step, and the statement that does: the first of the
    function in which `site` lies, else of the file."""
    if site is None:
        return None, None
    root = parsed(trace.sources.get(site.file, ""))
    scopes = [node for node in walk(root) if isinstance(node, SCOPES)]
    around = [node for node in scopes if node.lineno <= site.line <= (node.end_lineno or node.lineno)]
    called = {
        getattr(node.func, "id", getattr(node.func, "attr", ""))
        for node in walk(root)
        if isinstance(node, ast.Call) and node.lineno <= site.line <= (node.end_lineno or node.lineno)
    }
    nearest = [*around[-1:], *(node for node in scopes if node.name in called), root]
    return next((found for node in nearest for found in _carriers(node)), (None, None))


def carried_at(trace: Trace, site: Site) -> Site:
    """The statement that carries a number through the loop near a site, else the site."""
    _, update = carrier(trace, site)
    return Source(trace).site(update, site.file) if update is not None else site


def _carriers(root: ast.AST) -> Iterator[tuple[ast.For | ast.While, ast.stmt]]:
    found: dict[int, tuple[ast.For | ast.While, ast.stmt]] = {}
    for loop in (node for node in walk(root) if isinstance(node, LOOPS)):
        for node in walk(loop):
            if isinstance(node, ast.Assign) and _carries(node):
                found[id(node)] = (loop, node)  # `walk` goes from the outside in: the innermost loop stays
    yield from found.values()


def _carries(node: ast.Assign) -> bool:
    """Whether what is bound is, beside something of this step, a product of what was bound to the same name before."""
    return any(
        recursion(node.value, target.id)
        if isinstance(target, ast.Name)
        else isinstance(target, ast.Subscript) and _reads(node.value, ast.unparse(target.value))
        for target in node.targets
    )


def _reads(value: ast.expr, array: str) -> bool:
    """Whether a product reads an array by its name."""
    products = (part for part in walk(value) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult))
    return any(
        isinstance(part, ast.Subscript) and ast.unparse(part.value) == array
        for product in products
        for part in walk(product)
    )


def readers(trace: Trace, told: RunningSum) -> list[Event]:
    """The events that a running sum comes from or goes into."""
    own = {told.event} | {
        event.index for event in trace.events for fact in operands(event) if told.uid and fact.uid == told.uid
    }
    return [trace.events[index] for index in sorted(own)]


def ascending(trace: Trace, facts: list[TensorFact]) -> bool | None:
    """Whether tensors came into being in the order in which they are listed; `None` where that does not tell."""
    firsts = [_root(trace, fact) for fact in facts]
    pairs = [(one, other) for one, other in itertools.pairwise(firsts) if one != other]
    if not pairs:
        return None
    up = sum(one < other for one, other in pairs)
    return True if up == len(pairs) else (False if up == 0 else None)


def _root(trace: Trace, fact: TensorFact) -> int:
    """The identity of the newest tensor that the statements of one place did not make themselves."""
    made = produced(trace, fact)
    own, before = made.site if made is not None else None, ancestors(trace, fact, 60)
    outside = [
        part.uid
        for event in before.values()
        if event.site == own or _level(event.site, own)
        for part in operands(event)
        if part.requires_grad and (part.producer not in before or not _level(before[part.producer].site, own))
    ]
    return max(outside, default=fact.uid)


def _level(one: Site | None, other: Site | None) -> bool:
    return one is not None and other is not None and one.line == other.line


def likely(trace: Trace, fact: TensorFact, limit: int = 400) -> bool:
    """Whether a tensor was computed from a likelihood."""
    return any(event.op in LIKELIHOODS for event in ancestors(trace, fact, limit).values())


def _filled(trace: Trace, event: Event) -> Iterator[ast.stmt]:
    """The statements that made the numbers of the list from which `event` made a tensor: what was appended, and what
    was bound to the names in it."""
    if event.site is None:
        return
    root = parsed(trace.sources.get(event.site.file, ""))
    calls = [
        node
        for node in walk(root)
        if isinstance(node, ast.Call)
        and node.lineno <= event.site.line <= (node.end_lineno or node.lineno)
        and node.col_offset + 1 == event.site.column
        and node.args
    ]
    names = {
        ast.unparse(part) for call in calls for part in (call.args[0],) if isinstance(part, (ast.Name, ast.Attribute))
    }
    read: set[str] = set()
    for node in walk(root):
        call = method(node, ("append", "insert", "appendleft", "extend"))
        if isinstance(node, ast.AugAssign) and ast.unparse(node.target) in names:
            yield node
        elif isinstance(node, ast.stmt) and call is not None and ast.unparse(call[0]) in names:
            yield node
            read |= {part.id for arg in call[2] for part in walk(arg) if isinstance(part, ast.Name)}
    for node in walk(root):
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in read for one in node.targets):
            yield node


def counting(trace: Trace, site: Site, data: EpisodeSums) -> tuple[Origin, ...]:
    """The statements of a function's loops, or of the one loop that was played, that read a column, then those that
    carry a number from step to step; the function's own line where it has no loop."""
    node = next(
        (
            part
            for part in walk(parsed(trace.sources.get(site.file, "")))
            if (isinstance(part, SCOPES) and part.name == data.function and part.lineno >= data.line)
            or (isinstance(part, ast.For) and part.lineno == data.line)
        ),
        None,
    )
    read: list[ast.stmt] = []
    carried: list[ast.stmt] = []
    for loop in (part for part in walk(node) if isinstance(part, (ast.For, ast.While))) if node is not None else ():
        for part in walk(loop):
            if isinstance(part, (ast.Assign, ast.AugAssign, ast.Expr)):
                names = [one.id for one in walk(part) if isinstance(one, ast.Name)]
                bound = part.targets[0] if isinstance(part, ast.Assign) else None
                held = (ast.unparse(one) for one in walk(part) if isinstance(one, (ast.Attribute, ast.Subscript)))
                if data.other in names or data.other in held:
                    read.append(part)
                elif isinstance(bound, ast.Name) and names.count(bound.id) > 1:
                    carried.append(part)
    sites = [Source(trace).site(part, site.file) for part in (*read, *carried)] or [site]
    return tuple(origin for one in sites for origin in place(trace, one))


def credits(trace: Trace, near: list[Event]) -> bool:
    """Whether one of the events multiplies a likelihood that learns, in the order in which the steps were taken."""
    return any(order is not False for order in orders(trace, near))


def orders(trace: Trace, near: list[Event]) -> list[bool | None]:
    """Of the likelihoods that learn and that these events multiply: whether their steps stand in the order in which
    they were taken, as `ascending`."""
    weighed: dict[Site | None, list[TensorFact]] = {}
    for event in {event.index: event for event in near}.values():
        if ops.is_a(event.op, "multiplies"):
            for fact in operands(event):
                if fact.requires_grad:
                    before = ancestors(trace, fact, 400).values()
                    if any(one.op in LIKELIHOODS for one in before):
                        stacked = next((one for one in before if one.op in ("stack", "cat") and not one.modules), None)
                        weighed.setdefault(event.site, []).extend(operands(stacked) if stacked is not None else [fact])
    return [ascending(trace, facts) for facts in weighed.values()]


def filling(trace: Trace, mask: TensorFact) -> tuple[Origin, ...]:
    """Where the flags were made, and the statements that filled the list that they were made from."""
    for _ in range(6):
        event = produced(trace, mask)
        if event is None or event.site is None:
            return ()
        given = operands(event)
        if not given:
            return place(trace, event.site) + tuple(
                origin
                for node in _filled(trace, event)
                for origin in place(trace, Source(trace).site(node, event.site.file))
            )
        mask = given[0]
    return ()


def adds_up(trace: Trace, name: str) -> bool:
    """Whether flags that are called so are added up themselves, as rewards of yes and no are: they mark no ends."""
    uids = {one.fact.uid for one in trace.bound if one.name == name and one.fact.dtype == "bool"}
    return any(fact.uid in uids for event in trace.events if ops.is_a(event.op, "adds") for fact in operands(event))
