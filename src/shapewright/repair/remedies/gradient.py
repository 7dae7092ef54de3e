"""A cut between parameters and loss taken away: `.detach()`, `.data`, `.item()`, a tour through NumPy, a tensor made
anew, `no_grad` around training."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from ... import ops
from ...graph.flow import operands, produced
from ...graph.imports import library
from ...rules.remedy import Attach
from ...trace import Event, Site
from ..candidate import Candidate, Case
from ..source import Place, Source

ANSWERS = (Attach,)
TITLES = {
    "uncut": {
        "en": "remove {code}, which cuts off the gradient",
        "es": "quitar {code}, que corta el gradiente",
        "ja": "勾配を断つ {code} を取り除く",
    },
    "with-grad": {
        "en": "train with gradients enabled: {code}",
        "es": "entrenar con los gradientes activados: {code}",
        "ja": "勾配を有効にして学習する: {code}",
    },
}


def propose(case: Case) -> Iterator[Candidate]:
    """On the lines that a finding about missing gradient names, and where the same network's output is cut as well."""
    found = []
    for site in dict.fromkeys(Site(site.file, site.line) for site in (*case.sites, *_alike(case))):
        for candidate in _near(case, site):
            found += [candidate] if candidate.title == "uncut" else []
            yield candidate
    edits = {(e.line, e.column): e for c in found for e in c.edits}
    if len({e.line for e in edits.values()}) == len(edits) > 1:
        yield Candidate("uncut", tuple(edits.values()), 12, {"code": ".detach()"})


def _alike(case: Case) -> Iterator[Site]:
    """Where what one network makes is taken out of the graph, as the finding's call does."""
    network = _network(case, case.event) if case.event is not None and ops.is_a(case.event.op, "cuts") else None
    for event in case.trace.events if network is not None else ():
        if event.site is not None and ops.is_a(event.op, "cuts") and _network(case, event) == network:
            yield event.site


def _network(case: Case, cut: Event) -> int | None:
    """The outermost module that made what a call cuts."""
    given = next(iter(operands(cut)), None)
    made = produced(case.trace, given) if given is not None else None
    return next(iter(made.modules), None) if made is not None else None


def _near(case: Case, site: Site) -> Iterator[Candidate]:
    """On the line, on the next ones that read its names, and at the header around it."""
    source, statement = case.statement(site)
    if source is None or statement is None:
        return
    line = site.line
    if isinstance(statement.node, cst.With) and "no_grad" in source.lines[line - 1]:
        return
    if not isinstance(statement.node, cst.BaseCompoundStatement):
        yield from _uncut(source, statement)
        lines = [p for p in source.of_kind(cst.SimpleStatementLine) if line < p.line <= line + 4]
        for name in dict.fromkeys(p.node.value for p in source.within(statement, cst.Name)):
            named = re.compile(rf"\b{re.escape(name)}\b")
            for place in [p for p in lines if named.search(source.text_of(p))][:3]:
                yield from _uncut(source, place)
    yield from _unguarded(source, line)


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
