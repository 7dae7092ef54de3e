"""A tuple or list handed on where one tensor is wanted: a recurrent layer's `(output, state)`, a loader's batch of
one; and the number of a tensor that holds one, indexed as it was before PyTorch 0.4."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, tensors
from ...rules.remedy import Misfit
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
    failure = case.trace.failure
    yield from _last_layer(case)
    yield from _number(case)
    if failure is None or Refusal.NOT_A_TENSOR not in failure.said:
        return
    seen = set()
    for depth, site in enumerate(reversed(failure.stack or (case.site,))):
        source, statement = case.statement(site)
        if statement is None or isinstance(statement.node, cst.BaseCompoundStatement):
            continue
        for name in dict.fromkeys(p.node.value for p in source.within(statement, cst.Name)):
            for target, value in _bindings(source, name, site.line):
                key = (source.file, target.line, target.column)
                if key not in seen:
                    seen.add(key)
                    yield from _unpacked(source, target, value, name, 4 + min(3 * depth, 9))


def _number(case: Case) -> Iterator[Candidate]:
    """`loss[0]` and `loss.data[0]`, where `loss` has no axes."""
    given = operands(case.event) if case.event is not None and case.event.op == "getitem" else []
    source, place = case.at(case.site if given and given[0].rank == 0 else None, cst.Subscript)
    if source is None or place is None or source.text_of(place).replace(" ", "")[-3:] != "[0]":
        return
    value = place.node.value
    if isinstance(value, cst.Attribute) and value.attr.value == "data":
        value = value.value
    code = f"{source.text_of(source.place(value))}.item()"
    yield Candidate("number-of", (source.replace(place, code),), 1, {"code": code})


def _last_layer(case: Case) -> Iterator[Candidate]:
    """The states of all layers handed on where those of the last one belong: each has an axis for the layers."""
    met = {uid for fact in operands(case.event) for axis in fact.axes for uid, _ in axis.uids} if case.event else set()
    for event in case.trace.events if met else ():
        states = list(tensors(event.result))[1:2] if ops.is_a(event.op, "recurrent") else []
        layers = [uid for fact in states if fact.rank == 3 and fact.axes for uid, size in fact.axes[0].uids if size > 1]
        source, statement = case.statement(event.site if event.site is not None and met & set(layers) else None)
        for assign in source.within(statement, cst.Assign) if statement is not None else ():
            target = assign.node.targets[0].target
            parts = [element.value for element in target.elements] if isinstance(target, cst.Tuple) else []
            if len(parts) != 2 or not isinstance(parts[1], cst.Name):
                continue
            name, scope = parts[1].value, source.scope(assign.line)
            reads = [p for p in source.of_kind(cst.Name) if p.node.value == name and p.line > statement.line]
            edits = tuple(source.suffix(p, "[-1]") for p in reads if source.scope(p.line) is scope)
            if edits:
                yield Candidate("wrap", edits, 6, {"code": "[-1]", "name": name})
            return


def _bindings(source: Source, name: str, line: int) -> Iterator[tuple[Place, Place | None]]:
    """`(target, value)` of assignments above the line and of loops around it that bind the name alone."""
    scope = source.scope(line)
    for place in source.places:
        node = place.node
        if isinstance(node, cst.Assign) and place.end_line < line and source.scope(place.line) is scope:
            target = node.targets[0].target
            if isinstance(target, cst.Name) and target.value == name and isinstance(node.value, cst.Call):
                yield source.place(target), source.place(node.value)
        elif isinstance(node, cst.For) and place.line <= line <= place.end_line:
            target = node.target
            parts = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
            yield from (
                (source.place(part), None) for part in parts if isinstance(part, cst.Name) and part.value == name
            )


def _unpacked(source: Source, target: Place, value: Place | None, name: str, rank: int) -> Iterator[Candidate]:
    if value is None:
        for rest, more in ((f"({name},)", 0), (f"({name}, _)", 1), (f"({name}, *_)", 3)):
            yield Candidate("unpack", (source.replace(target, rest),), rank + more, {"code": rest})
        return
    func = source.text_of(source.place(value.node.func))
    near = 0 if re.search(r"(?i)rnn|lstm|gru|attn|attention|encoder|mha", func) else 2
    yield Candidate("unpack", (source.replace(target, f"{name}, _"),), rank + near, {"code": f"{name}, _"})
    yield Candidate("unpack", (source.suffix(value, "[0]"),), rank + near + 1, {"code": "[0]"})
