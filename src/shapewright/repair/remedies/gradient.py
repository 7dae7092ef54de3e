"""A cut between parameters and loss taken away: `.detach()`, `.data`, `.item()`, a tour through NumPy, a tensor made
anew, `no_grad` around training."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.imports import library
from ...rules.remedy import Attach
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Attach,)
TITLES = {
    "uncut": {
        "en": "keep the gradient, without {code}",
        "es": "conservar el gradiente, sin {code}",
        "ja": "{code} を外して勾配を保つ",
    },
    "with-grad": {
        "en": "train with gradients enabled: {code}",
        "es": "entrenar con los gradientes activados: {code}",
        "ja": "勾配を有効にして学習する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the lines that a finding about missing gradient names."""
    lines = dict.fromkeys(
        (site.file, site.line) for site in (case.site, *(origin.site for origin in case.facts.origins if origin.site))
    )
    found = []
    for file, line in lines:
        source = case.source(file)
        statement = source.statement(line) if source else None
        if statement is None:
            continue
        if isinstance(statement.node, cst.With) and "no_grad" in source.lines[line - 1]:
            continue
        if not isinstance(statement.node, cst.BaseCompoundStatement):
            for candidate in _uncut(source, statement):
                found.append(candidate)
                yield candidate
            for name in dict.fromkeys(p.node.value for p in source.within(statement, cst.Name)):
                below = [
                    p
                    for p in source.places
                    if isinstance(p.node, cst.SimpleStatementLine)
                    and line < p.line <= line + 4
                    and re.search(rf"\b{re.escape(name)}\b", source.text_of(p))
                ]
                for place in below[:3]:
                    for candidate in _uncut(source, place):
                        found.append(candidate)
                        yield candidate
        yield from _unguarded(source, line)
    edits = {(e.line, e.column): e for c in found for e in c.edits}
    lines_of = {e.line for e in edits.values()}
    if len(lines_of) > 1 and len(edits) == len(lines_of):
        yield Candidate("uncut", tuple(edits.values()), 12, {"code": ".detach()"})


def _uncut(source: Source, statement: Place) -> Iterator[Candidate]:
    """Each outermost chain of cuts, and each tensor made from one, replaced by what it was made of."""
    covered: list[Place] = []
    for place in source.within(statement, (cst.Call, cst.Attribute)):
        if any(place.within(outer) for outer in covered):
            continue
        inner = _inside(place.node, source)
        if inner is not place.node:
            covered.append(place)
            text = source.atom(source.place(inner))
            yield Candidate("uncut", (source.replace(place, text),), 5, {"code": source.text_of(place)[:40]})


def _inside(node: cst.BaseExpression, source: Source) -> cst.BaseExpression:
    """What a chain of cuts was applied to; the node itself where there is none."""
    while True:
        if (
            isinstance(node, cst.Call)
            and isinstance(node.func, cst.Attribute)
            and ops.is_a(node.func.attr.value, "cuts", "leaves", "moves")
            and not node.args
        ):
            node = node.func.value
        elif isinstance(node, cst.Attribute) and node.attr.value == "data":
            node = node.value
        elif (
            isinstance(node, cst.Call)
            and isinstance(node.func, cst.Attribute)
            and ops.is_a(node.func.attr.value, "takes_data")
            and node.args
            and library(source.text, source.code(node.func))
            and not isinstance(node.args[0].value, (cst.List, cst.Integer, cst.Float))
        ):
            node = node.args[0].value
        else:
            return node


def _unguarded(source: Source, line: int) -> Iterator[Candidate]:
    """`with torch.no_grad():` around a training step becomes `with torch.enable_grad():`."""
    for place in source.enclosing(line, cst.With)[:1]:
        for item in place.node.items:
            call = source.place(item.item)
            if "no_grad" in source.text_of(call) or "inference_mode" in source.text_of(call):
                yield Candidate(
                    "with-grad", (source.replace(call, "torch.enable_grad()"),), 9, {"code": "torch.enable_grad()"}
                )
