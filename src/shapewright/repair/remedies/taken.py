"""A tuple or list handed on where one tensor is wanted: a recurrent layer's `(output, state)`, a loader's batch of
one; and the number of a tensor that holds one, indexed as it was before PyTorch 0.4."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, tensors
from ...rules.remedy import Misfit
from ...trace import Event
from ...trace.said import Refusal
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Misfit,)
TITLES = {
    "number-of": {
        "en": "read the number with {code}",
        "es": "leer el número con {code}",
        "ja": "数値を {code} で取り出す",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """The names that the failing lines read, unpacked where a call or a loop binds them, or indexed where they are
    bound."""
    failure, seen = case.failure, set()
    yield from _last_layer(case)
    yield from _last_step(case)
    yield from _number(case)
    sites = (failure.stack or (case.site,)) if Refusal.NOT_A_TENSOR in failure.said else ()
    for depth, line in enumerate(reversed(sites)):
        for site, source, statement in case.simple([line]):
            called = [source.code(call.node.func).split(".")[0] for call in source.within(statement, cst.Call)]
            names = dict.fromkeys(p.node.value for p in source.within(statement, cst.Name))
            names = [name for name in names if name not in called]
            bound = ((name, pair) for name in names for pair in _bindings(source, name, site.line))
            for name, (target, value) in bound:
                key = (source.file, target.line, target.column)
                if key not in seen:
                    seen.add(key)
                    yield from _unpacked(case, source, target, value, name, 4 + min(3 * depth, 9))


def _number(case: Case) -> Iterator[Candidate]:
    """`loss[0]` and `loss.data[0]`, where `loss` has no axes."""
    given = operands(case.event) if case.event is not None and case.event.op == "getitem" else []
    for source, place in case.found(case.site if given and given[0].rank == 0 else None, cst.Subscript):
        value = place.node.value
        value = value.value if isinstance(value, cst.Attribute) and value.attr.value == "data" else value
        code = f"{source.text_of(source.place(value))}.item()"
        if source.text_of(place).replace(" ", "").endswith("[0]"):
            yield Candidate("number-of", (source.replace(place, code),), 1, {"code": code})


def _last_layer(case: Case) -> Iterator[Candidate]:
    """The states of all layers handed on where those of the last one belong: each has an axis for the layers."""
    met = {uid for fact in operands(case.event) for axis in fact.axes for uid, _ in axis.uids} if case.event else set()
    for event in case.trace.events if met else ():
        states = list(tensors(event.result))[1:2] if ops.is_a(event.op, "recurrent") else []
        layers = [uid for fact in states if fact.rank == 3 and fact.axes for uid, size in fact.axes[0].uids if size > 1]
        source, statement = case.statement(event.site if met & set(layers) else None)
        for assign in source.within(statement, cst.Assign) if statement is not None else ():
            target = assign.node.targets[0].target
            parts = [element.value for element in target.elements] if isinstance(target, cst.Tuple) else []
            if len(parts) == 2 and isinstance(parts[1], cst.Name):
                name, scope = parts[1].value, source.scope(assign.line)
                reads = [p for p in source.of_kind(cst.Name) if p.node.value == name and p.line > statement.line]
                edits = tuple(source.suffix(p, "[-1]") for p in reads if source.scope(p.line) is scope)
                yield from [Candidate("wrap", edits, 6, {"code": "[-1]", "name": name})] if edits else ()
                return


def _last_step(case: Case) -> Iterator[Candidate]:
    """The outputs of all steps handed on where a loss compares one for each sample."""
    event = case.event if case.event is not None and ops.is_a(case.event.op, "losses") else None
    made, true = operands(event)[:2] if event is not None and len(operands(event)) > 1 else (None, None)
    met = {uid for axis in made.axes for uid, _ in axis.uids} if made is not None and made.rank > 1 else set()
    known = {uid for axis in true.axes for uid, _ in axis.uids} if true is not None else set()
    for one in case.trace.events if met else ():
        given = next(tensors(one.result), None) if ops.is_a(one.op, "recurrent") else None
        net = case.trace.layer(one)
        if given is None or given.rank != 3 or net is None or len(given.axes) != 3:
            continue
        first = bool(net.config.get("batch_first"))
        steps = {uid for uid, size in given.axes[first].uids if size > 1}
        source, statement = case.statement(one.site if steps & met and not steps & known else None)
        for assign in source.within(statement, cst.Assign) if statement is not None else ():
            target = assign.node.targets[0].target
            part = target.elements[0].value if isinstance(target, cst.Tuple) else None
            if isinstance(part, cst.Name):
                scope, code = source.scope(assign.line), "[:, -1]" if first else "[-1]"
                reads = [p for p in source.of_kind(cst.Name) if p.node.value == part.value and p.line > statement.line]
                for read in [p for p in reads if source.scope(p.line) is scope][:1]:
                    yield Candidate("wrap", (source.suffix(read, code),), 5, {"code": code, "name": part.value})
                return


def _bindings(source: Source, name: str, line: int) -> Iterator[tuple[Place, Place | None]]:
    """`(target, value)` of assignments above the line and of loops around it that bind the name alone."""
    scope = source.scope(line)
    for place in source.of_kind((cst.Assign, cst.For)):
        node = place.node
        if isinstance(node, cst.Assign):
            above = place.end_line < line and source.scope(place.line) is scope and isinstance(node.value, cst.Call)
            parts, value = [node.targets[0].target] if above else [], source.place(node.value)
        else:
            elements = getattr(node.target, "elements", None)
            around, value = place.line <= line <= place.end_line, None
            parts = [e.value for e in elements] if isinstance(node.target, cst.Tuple) else [node.target]
            parts = parts if around else []
        yield from ((source.place(p), value) for p in parts if isinstance(p, cst.Name) and p.value == name)


def _gives_state(event: Event, file: str, lines: range) -> bool:
    """Whether a recurrent or attention layer ran in a call on these lines: its output comes first."""
    inside = any(site.file == file and site.line in lines for site in event.stack)
    return inside and ops.is_a(event.op, "recurrent", "attends")


def _unpacked(
    case: Case, source: Source, target: Place, value: Place | None, name: str, rank: int
) -> Iterator[Candidate]:
    forms = [(f"({name},)", 0), (f"({name}, _)", 1), (f"({name}, *_)", 3)]
    if value is not None:
        lines = range(value.line, value.end_line + 1)
        near = 0 if any(_gives_state(event, source.file, lines) for event in case.trace.events) else 2
        forms = [(f"{name}, _", near)]
    doubt = "guessed" if value is not None and _gives_loss(case, source.file, lines) else ""
    for code, more in forms:
        yield Candidate("unpack", (source.replace(target, code),), rank + more, {"code": code}, doubt=doubt)
    if value is not None:
        yield Candidate("unpack", (source.suffix(value, "[0]"),), rank + near + 1, {"code": "[0]"}, doubt=doubt)


def _gives_loss(case: Case, file: str, lines: range) -> bool:
    """Whether a model that is called on these lines gives a number that it learns from, which would be thrown away."""
    calls = (step for step in case.trace.steps if step.kind == "forward" and step.site is not None)
    here = (step for step in calls if step.site.file == file and step.site.line in lines)
    return any(fact.shape == () and fact.requires_grad for step in here for fact in tensors(step.data["result"]))
